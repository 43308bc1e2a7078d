"""The Fangnetz server: rules, matches, network gateway and spectator page."""

from fangnetz_protocol.version import __version__

__all__ = ["__version__"]
