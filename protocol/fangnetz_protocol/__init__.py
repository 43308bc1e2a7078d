"""Messages, codec and session of the Fangnetz protocol."""

from fangnetz_protocol.version import PROTOCOL_VERSION, __version__

__all__ = ["PROTOCOL_VERSION", "__version__"]
