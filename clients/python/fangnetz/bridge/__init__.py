"""Bots in any language: a program that reads and writes JSON lines plays through this bridge.

`lines`, `answers` and `turns` are pure: bytes to lines, lines to messages, and what is whose turn.
`program` and `tcp` are the two kinds of partner at the other end; `seat` sits a partner at a match.
"""
