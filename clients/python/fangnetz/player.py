"""A bot at a match: the bot's code on one side, messages on the other.

Nothing that the bot's code does gets out of here but actions: an exception is logged once a kind
and gives the neutral action.
"""

import logging
import traceback
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from fangnetz.bot import Bot, LeaveMatch
from fangnetz_protocol.messages import Action, Leave, MatchEnd, MatchStart, Observation, Ready
from fangnetz_protocol.words import ActionStatus, MatchId, Tick

__all__ = ["Answer", "AnyBot", "Faults", "Greeting", "Player"]

AnyBot = Bot[Any, Any]
Answer = Action | Leave | None
"""What to send for an observation; None: nothing."""
Greeting = Ready | Leave
"""What to send for a `match_start`."""
log: Final = logging.getLogger("fangnetz")


class Faults:
    """Counts what went wrong in a bot's code and logs each kind once, with its traceback."""

    def __init__(self) -> None:
        self.kinds: Counter[tuple[str, type[Exception], str]] = Counter()

    @property
    def total(self) -> int:
        """How often the bot's code failed."""
        return self.kinds.total()

    def note(self, where: str, error: Exception) -> None:
        """Count one fault; `where` is the method of the bot."""
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        kind = (where, type(error), place)
        self.kinds[kind] += 1
        if self.kinds[kind] == 1:
            log.error(
                "%s() failed; the neutral action is given instead (this kind is logged once)",
                where,
                exc_info=error,
            )

    @contextmanager
    def watch(self, where: str) -> Iterator[None]:
        """Note an exception of the block and go on."""
        try:
            yield
        except Exception as error:
            self.note(where, error)


class Player:
    """One bot at one match.

    Args:
        bot: the bot; it is used for this match alone while it lasts.
        start: what is known about the match.
        faults: where exceptions of the bot's code are noted.
    """

    def __init__(self, bot: AnyBot, start: MatchStart, faults: Faults) -> None:
        self.bot = bot
        self.match: Final[MatchId] = start.match
        self.statuses: Counter[ActionStatus] = Counter()
        """How often each status was told for an action."""
        self.busy = False
        """True while an async `decide` is at work."""
        self.waiting: Observation | None = None
        """The newest observation that came meanwhile."""
        self.is_prepared = False
        """True once the bot's `start` is done."""
        self._start: Final = start
        self._faults = faults
        self._answer: Answer = None
        self._answered: Tick | None = None
        self._skipped: list[Tick] = []
        with faults.watch("take_seat"):
            bot.take_seat(start)

    def prepare(self) -> Greeting | Awaitable[Greeting]:
        """Call the bot's `start`, and return what to answer, or a promise of it if `start` is async."""
        try:
            preparing = self.bot.start(self._start)
            if isinstance(preparing, Awaitable):
                return self._prepare_later(preparing)
        except LeaveMatch:
            return self._leave()
        except Exception as error:
            self._faults.note("start", error)
        return self._prepared()

    def skip(self, observation: Observation) -> None:
        """Leave out an observation because a newer one is there already."""
        self._skipped.append(observation.tick)

    def wait(self, observation: Observation) -> None:
        """Keep an observation until the async `decide` at work is done; only the newest is kept."""
        if self.waiting is not None:
            self.skip(self.waiting)
        self.waiting = observation

    def take_waiting(self) -> Observation | None:
        """Return the observation that was kept, once."""
        observation, self.waiting = self.waiting, None
        return observation

    def answer(self, observation: Observation) -> Answer | Awaitable[Answer]:
        """Return the action for an observation, or a promise of it if `decide` is async.

        None means that the bot has nothing to say; the server then counts the tick as missing.
        """
        if observation.tick == self._answered:
            return self._answer  # After a resume the same tick comes again (P2.4).
        self._brief(observation)
        bot = self.bot
        try:
            choice = bot.decide(bot.read(observation.part))
            if isinstance(choice, Awaitable):
                return self._answer_later(observation.tick, choice)
            return self._act(observation.tick, bot.write(choice))
        except LeaveMatch:
            return self._leave()
        except Exception as error:
            return self._stay_neutral(observation.tick, error)

    def end(self, result: MatchEnd) -> None:
        """Tell the bot how the match ended."""
        with self._faults.watch("end"):
            self.bot.end(result)

    def _brief(self, observation: Observation) -> None:
        """Set what the bot may read beside the game part, and tell it what it missed."""
        bot = self.bot
        bot.tick = observation.tick
        bot.deadline_ms = observation.deadline_ms
        bot.bank_ms = observation.bank_ms
        bot.last_action = last = observation.last_action
        if last is not None:
            self.statuses[last.status] += 1
        if self._skipped or observation.missed:
            ticks = sorted({*self._skipped, *(observation.missed or ())})
            self._skipped.clear()
            with self._faults.watch("missed"):
                bot.missed(ticks)

    async def _prepare_later(self, preparing: Awaitable[None]) -> Greeting:
        try:
            await preparing
        except LeaveMatch:
            return self._leave()
        except Exception as error:
            self._faults.note("start", error)
        return self._prepared()

    def _prepared(self) -> Ready:
        self.is_prepared = True
        return Ready(match=self.match)

    def _leave(self) -> Leave:
        return Leave(match=self.match)

    async def _answer_later(self, tick: Tick, choice: Awaitable[Any]) -> Answer:
        try:
            return self._act(tick, self.bot.write(await choice))
        except LeaveMatch:
            return self._leave()
        except Exception as error:
            return self._stay_neutral(tick, error)

    def _act(self, tick: Tick, part: Mapping[str, Any]) -> Action:
        action = Action.model_validate({**part, "type": "action", "match": self.match, "tick": tick})
        self._answer, self._answered = action, tick
        return action

    def _stay_neutral(self, tick: Tick, error: Exception) -> Answer:
        self._faults.note("decide", error)
        try:
            neutral = self.bot.neutral()
            return None if neutral is None else self._act(tick, self.bot.write(neutral))
        except Exception as second:
            self._faults.note("neutral", second)
            return None
