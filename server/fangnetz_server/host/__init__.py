"""The host: admits bots, makes matches, keeps results, and runs the server."""
