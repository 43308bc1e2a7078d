"""The only place that knows a socket: `/play` for bots, `/watch` for spectators."""
