"""A bot for Spaceballs that needs nothing but Python: JSON lines in, JSON lines out."""

import json
import sys
from math import hypot


def think(seen):
    """Fly to the nearest station, off the mines; without stations chase the opponent."""
    me = seen["me"]
    goals = seen["stations"] or [seen["opponent"]]
    goal = min(goals, key=lambda it: hypot(it["x"] - me["x"], it["y"] - me["y"]))
    x, y = goal["x"] - me["x"], goal["y"] - me["y"]
    for mine in seen["mines"]:  # Mines push, the more the nearer they are.
        dx, dy = me["x"] - mine["x"], me["y"] - mine["y"]
        push = 0.002 / max(hypot(dx, dy) - 0.06, 0.001) ** 2
        x, y = x + push * dx, y + push * dy
    pull = 0.1 / max(hypot(x, y), 0.001)  # The speed to have; what is missing to it is the thrust.
    return [pull * x - me["vx"], pull * y - me["vy"]]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "observation":
        answer = {"type": "action", "tick": message["tick"], "thrust": think(message)}
        print(json.dumps(answer), flush=True)  # Without flush the line would stay in a buffer.
    elif message["type"] == "error":
        print("the server says:", message["message"], file=sys.stderr)
