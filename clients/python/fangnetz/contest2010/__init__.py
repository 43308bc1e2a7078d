"""Clients of the contest of 2010 on a Fangnetz server: TCP and `|` on one side, the SDK on the other.

`commands` knows how commands look, `conversation` which one comes when; neither knows a socket.
`client` carries them over one TCP connection, `bot` plays a match with it, `adapter` listens and
connects each client with the server.
"""
