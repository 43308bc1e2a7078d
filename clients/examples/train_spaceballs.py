"""Train a small policy for Spaceballs by the cross-entropy method, with NumPy alone, and play with it.

    python train_spaceballs.py                                    # trains, writes policy.npy
    fangnetz play spaceballs train_spaceballs.py:Trained random --n 20

Every station, mine and wall pulls or pushes, and so does the opponent. How strongly, near by and from
afar, at rest and in flight, is what is learnt: 21 weights. The thrust goes where the sum of all points.
"""

import sys
import time
from pathlib import Path

import numpy as np

from fangnetz import SpaceballsBot, Thrust

FILE = Path(__file__).with_name("policy.npy")
SCALES = (0.03, 0.1, 0.3)  # How far a pull reaches, in field widths.
RADII = {"station": 0.02, "mine": 0.06, "wall": 0.01, "opponent": 0.02}  # Where things are touched.
WEIGHTS = len(RADII) * (len(SCALES) + 2) + 1

POPULATION, ELITE, MATCHES, TICKS = 96, 16, 8, 5  # Matches of each candidate; ticks that a thrust holds.
SECONDS = 30.0  # Of a match in training.


def pulls(position, velocity, lead, stations, mines, opponent, opponent_velocity):
    """Return what the weights are multiplied with: WEIGHTS vectors a ball, shape (N, WEIGHTS, 2).

    Shapes, with N balls: lead (N,), 1 if the own ball has refuelled more often and -1 if less often;
    stations and mines (N, objects, 2), NaN for what has gone; all others (N, 2).
    """
    walls = position[:, None].repeat(4, axis=1)
    walls[:, [0, 1, 2, 3], [0, 0, 1, 1]] = (0.0, 1.0, 0.0, 1.0)
    found = []
    for kind, things in (
        ("station", stations),
        ("mine", mines),
        ("wall", walls),
        ("opponent", opponent[:, None]),
    ):
        way = things - position[:, None]
        far = np.sqrt((way * way).sum(axis=2, keepdims=True)) + 1e-9
        towards, gap = way / far, np.maximum(far - RADII[kind], 0.0)
        speed = velocity - opponent_velocity if kind == "opponent" else velocity
        closing = 10 * (towards * speed[:, None]).sum(axis=2, keepdims=True)
        sign = lead[:, None] if kind == "opponent" else 1.0
        near = [np.exp(gap / -scale) for scale in SCALES]
        for strength in (*near, closing * near[0], closing * near[1]):
            found.append(sign * np.nansum(towards * strength, axis=1))
    return np.stack([*found, -10 * velocity], axis=1)


def thrusts(batch, weights):
    """Return the thrusts of both balls of every match; weights have the shape (2 balls, N, WEIGHTS)."""
    there = np.where(batch.objects < 2, batch.objects, np.nan).transpose(2, 1, 0)
    objects = np.split(there, [batch.starts.station_count], axis=1)
    place, speed = batch.position.transpose(1, 2, 0), batch.velocity.transpose(1, 2, 0)
    lead = np.sign(batch.fuel[0] - batch.fuel[1])
    red = pulls(place[0], speed[0], lead, *objects, place[1], speed[1])
    blue = pulls(place[1], speed[1], -lead, *objects, place[0], speed[0])
    return np.einsum("bnw,bnwa->nba", weights, np.stack([red, blue]))


def gains(starts, candidates):
    """Let each candidate fly some matches as red, and return how well it did; blue stays in its corner."""
    from fangnetz_server.envs import SpaceballsBatch

    count = len(candidates) * MATCHES
    batch = SpaceballsBatch(starts, count, restart=False)
    weights = np.stack([candidates.repeat(MATCHES, axis=0), np.zeros((count, WEIGHTS))])
    points = np.zeros((count, 2))
    while not batch.is_over.all():
        ended = batch.step(thrusts(batch, weights), TICKS)
        points[ended.match] = ended.points
    gain = points[:, 0] - points[:, 1] + batch.fuel[0] / 3
    return gain.reshape(len(candidates), MATCHES).mean(axis=1)


def train(generations=40, seed=1, tell=print):
    """Draw candidates, keep the best of them, and draw the next ones round these."""
    from fangnetz_server.envs import Starts

    chance, begin = np.random.default_rng(seed), time.monotonic()
    middle, spread = np.zeros(WEIGHTS), np.ones(WEIGHTS)
    for generation in range(1, generations + 1):
        candidates = middle + spread * chance.normal(size=(POPULATION, WEIGHTS))
        fields = int(chance.integers(1 << 30))  # The same ones for all, so that none is lucky.
        starts = Starts.drawn(fields, MATCHES, {"ruleset": {"duration": SECONDS}})
        gain = gains(starts, candidates)
        best = candidates[gain.argsort()[-ELITE:]]
        middle, spread = best.mean(axis=0), best.std(axis=0) + 0.3 / generation
        if generation % 5 == 0:
            tell(f"generation {generation}: {gain.mean():+.2f}, {time.monotonic() - begin:.0f} s")
    return middle


class Trained(SpaceballsBot):
    """Plays with the weights in policy.npy."""

    def start(self, match):
        self.weights = np.load(FILE)

    def decide(self, seen):
        def points(things):
            return np.array([(one.x, one.y) for one in things], float).reshape(1, -1, 2)

        def speed(ball):
            return np.array([(ball.vx, ball.vy)])

        me, other = seen.me, seen.opponent
        place, rival = points([me])[:, 0], points([other])[:, 0]
        lead = np.sign([me.fuel - other.fuel])
        found = pulls(place, speed(me), lead, points(seen.stations), points(seen.mines), rival, speed(other))
        x, y = self.weights @ found[0]
        return Thrust(thrust=(float(x), float(y)))


if __name__ == "__main__":
    np.save(FILE, train(*map(int, sys.argv[1:])))
    print(f"{FILE} is written")
