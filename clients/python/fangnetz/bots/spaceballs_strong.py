"""Spaceballs, the strong player: plans its stations, attacks by interception, evades when behind.

Each tick it makes one choice: of sixteen directions, coasting and braking it takes the one with the
least cost among those after which there is still a way out of every danger. What the cost is depends
on what the bot is about:

- gather: how far the ball gets off the planned flight (the plan is in `spaceballs_planning`),
- hunt: the time until it has intercepted the opponent,
- evade: minus the time until the opponent has it, in a rehearsed chase.
"""

from collections.abc import Callable, Container
from math import hypot, sqrt
from random import Random
from typing import Final

from fangnetz.bot import SpaceballsBot
from fangnetz.bots.spaceballs_planning import Leg, Planner
from fangnetz.flight import (
    DT,
    Escape,
    Motion,
    Obstacles,
    Vector,
    compass,
    direction,
    motion_of,
    time_to_reach,
)
from fangnetz_protocol.messages import MatchStart
from fangnetz_protocol.spaceballs import Observation, Thrust

__all__ = ["StrongBot"]

Cost = Callable[[Motion], float]
"""What a motion after this tick costs; the least wins."""

COAST: Final = (0.0, 0.0)
CLOSE: Final = 1.0
"""Seconds to an interception that make the bot forget its stations: attack, or evade."""
ASTRAY: Final = 0.03
"""Distance from the planned flight at which a new plan is made."""
MARGIN: Final = 0.002
"""Least distance to keep from mines and walls."""
FORESIGHT: Final = 0.4
"""Seconds for which the opponent is expected to go on thrusting as he does."""
REHEARSAL: Final = 15
"""Steps of 0.1 s for which a chase is rehearsed."""
PUSH: Final = 5
"""Steps of a rehearsal in which the prey thrusts; then it coasts."""


class StrongBot(SpaceballsBot):
    """Plays for the win: more stations first, then the catch.

    Args:
        seed: turns its compass by a little. Two bots with the same compass would fly mirror images
            of the same match, for ever equal.
    """

    name = "strong"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def start(self, match: MatchStart) -> None:
        chance = Random(2 * self._seed + match.seat)
        self._compass = compass(16, chance.random())
        setup = self.setup
        self._thrust = setup.thrust
        self._steps = setup.steps_per_tick
        self._tick_time = setup.steps_per_tick * setup.dt
        # A ball brakes in whole ticks, so it comes to rest only so exactly.
        self._margin = MARGIN + setup.thrust * self._tick_time**2
        self._reach = 2 * setup.ball_radius
        self._planner = Planner(setup.thrust, setup.ball_radius + setup.station_radius, chance.random())
        self._leg: Leg | None = None
        self._leg_began = 0
        self._escape = Escape(COAST, 0)

    def decide(self, observation: Observation) -> Thrust:
        me, him = motion_of(observation.me), motion_of(observation.opponent)
        obstacles = Obstacles(observation.mines, self.setup, self._margin)
        cost = self._cost(observation, me, him, obstacles)
        return Thrust(thrust=self._best_push(me, obstacles, cost))

    def _cost(self, observation: Observation, me: Motion, him: Motion, obstacles: Obstacles) -> Cost:
        """Return what to minimise in this tick."""
        lead = observation.me.fuel - observation.opponent.fuel
        left = len(observation.stations)
        if lead > 0 and (lead > left or self._interception(me, him) < CLOSE):
            return self._hunting(me, _expected(observation, self._tick_time), obstacles)
        if lead < 0 and (-lead > left or self._interception(him, me) < CLOSE):
            return self._evading(me, him, obstacles)
        if left:
            return self._gathering(observation, me, him, obstacles)
        return lambda after: after.speed  # Nothing to win: stand still and let him make the mistakes.

    def _best_push(self, me: Motion, obstacles: Obstacles, cost: Cost) -> Vector:
        """Return the direction of thrust with the least cost after which there is still a way out."""
        brake = direction(-me.vx, -me.vy)
        choices = []
        for push in (COAST, *self._compass, brake):
            after = me.after((push[0] * self._thrust, push[1] * self._thrust), self._steps)
            choices.append((cost(after), push, after))
        for _, push, after in sorted(choices):
            # The delay is for an action that gets lost: then the ball coasts for a tick.
            escape = obstacles.escape(after, self._steps, delay=self._tick_time)
            if escape is not None:
                self._escape = escape
                return push
        # Go on with the way out that was found when the last push was chosen.
        push, ticks = self._escape
        self._escape = Escape(push, ticks - 1)
        return push if ticks > 0 else brake

    # --- gather -----------------------------------------------------------------------------------

    def _gathering(self, observation: Observation, me: Motion, him: Motion, obstacles: Obstacles) -> Cost:
        stations = {place.id: (place.x, place.y) for place in observation.stations}
        if not self._is_on_plan(me, stations.keys()):
            self._leg = self._planner.next_leg(me, him, observation.stations, obstacles)
            self._leg_began = self.tick
        if self._leg is not None:
            wanted = self._leg.flight.at(self._flown + self._tick_time)
            return lambda after: _error(after, wanted)
        # No simple flight leads to any station: round the mines to the nearest one.
        nearest = min(stations.values(), key=lambda point: hypot(point[0] - me.x, point[1] - me.y))
        return self._flying_to(obstacles.way_round(me.x, me.y, nearest))

    @property
    def _flown(self) -> float:
        """Seconds since the leg began."""
        return (self.tick - self._leg_began) * self._tick_time

    def _is_on_plan(self, me: Motion, stations: Container[int]) -> bool:
        """Tell whether the planned station is still there and the ball where it should be."""
        leg, flown = self._leg, self._flown
        if leg is None or leg.station not in stations or flown > leg.flight.time:
            return False
        return _error(me, leg.flight.at(flown)) < ASTRAY

    def _flying_to(self, aim: Vector) -> Cost:
        return lambda after: time_to_reach(
            aim[0] - after.x, aim[1] - after.y, after.vx, after.vy, self._thrust, self._reach
        )

    # --- hunt -------------------------------------------------------------------------------------

    def _interception(self, hunter: Motion, prey: Motion) -> float:
        """Return the seconds until the hunter has caught a prey that coasts."""
        dx, dy = prey.x - hunter.x, prey.y - hunter.y
        vx, vy = hunter.vx - prey.vx, hunter.vy - prey.vy
        return time_to_reach(dx, dy, vx, vy, self._thrust, self._reach)

    def _hunting(self, me: Motion, prey: Motion, obstacles: Obstacles) -> Cost:
        target = prey.x, prey.y
        aim = obstacles.way_round(me.x, me.y, target)
        return (lambda after: self._interception(after, prey)) if aim == target else self._flying_to(aim)

    # --- evade ------------------------------------------------------------------------------------

    def _evading(self, me: Motion, hunter: Motion, obstacles: Obstacles) -> Cost:
        coasting = hunter.after(COAST, self._steps)

        def cost(after: Motion) -> float:
            push = (after.vx - me.vx) / self._tick_time, (after.vy - me.vy) / self._tick_time
            caught, end = self._rehearse(coasting, after, push)
            # Where the wall or a mine is near there is no room for the next dodge.
            cramped = max(0.0, 0.05 - obstacles.clearance(end.x, end.y))
            return 20 * cramped - caught

        return cost

    def _rehearse(self, hunter: Motion, prey: Motion, push: Vector) -> tuple[float, Motion]:
        """Rehearse a chase: the prey thrusts for a while and coasts, the hunter always intercepts.

        Returns:
            The seconds until the prey is caught, and where its thrust has brought it.
        """
        step, thrust = 10, self._thrust
        end = prey
        for number in range(REHEARSAL):
            dx, dy, vx, vy = prey.x - hunter.x, prey.y - hunter.y, prey.vx - hunter.vx, prey.vy - hunter.vy
            distance = hypot(dx, dy)
            if distance <= self._reach:
                return number * step * DT, end
            closing = -(dx * vx + dy * vy) / distance
            lead = min(2.0, (sqrt(closing * closing + 2 * thrust * distance) - closing) / thrust)
            hunter = hunter.after(direction(dx + vx * lead, dy + vy * lead, thrust), step)
            prey = prey.after(push if number < PUSH else COAST, step)
            if number < PUSH:
                end = prey
        return REHEARSAL * step * DT + self._interception(hunter, prey), end


def _expected(observation: Observation, tick_time: float) -> Motion:
    """Return the motion to expect of the opponent after this tick, if he goes on thrusting for a while."""
    ball = observation.opponent
    gain = FORESIGHT * FORESIGHT / 2
    return Motion(
        ball.x + ball.vx * tick_time + ball.ax * gain,
        ball.y + ball.vy * tick_time + ball.ay * gain,
        ball.vx + ball.ax * FORESIGHT,
        ball.vy + ball.ay * FORESIGHT,
    )


def _error(motion: Motion, wanted: Motion) -> float:
    """Return how far a motion is from the wanted one; a wrong velocity counts with where it leads."""
    place = hypot(motion.x - wanted.x, motion.y - wanted.y)
    return place + 0.3 * hypot(motion.vx - wanted.vx, motion.vy - wanted.vy)
