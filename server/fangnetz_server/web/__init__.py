"""The HTTP side of the one port: API, documentation and the spectator page."""
