"""The one version string of Fangnetz; all three distributions carry it."""

from typing import Final

__all__ = ["PROTOCOL_VERSION", "SUBPROTOCOL", "__version__"]

__version__ = "0.1.0"
PROTOCOL_VERSION: Final = "1.0"
"""Version of the messages (P1.5); the games' rules are numbered apart."""
SUBPROTOCOL: Final = "fangnetz.v1"
"""The WebSocket subprotocol that both sides have to agree on (P1.2)."""
