"""Whose turn it is in one match: which observation the program works on, and which waits.

A line counts by the tick that it names, so a late line is a late answer to its own tick and never
the answer to the next one (P2.1). While the program owes an answer, only the newest observation
is kept for it: it would be late for all others anyway.
"""

from typing import Final

from fangnetz.bridge.answers import BadLine
from fangnetz_protocol.messages import Action, Observation
from fangnetz_protocol.words import Tick

__all__ = ["PATIENCE", "Turns"]

PATIENCE: Final = 3
"""Observations in a row for which a debt holds up the newest. A program that left a tick out without
an answer goes on after so many; one that thinks long is not buried under what is out of date."""


class Turns:
    """The ticks of one match. Nothing in here waits or knows a clock."""

    def __init__(self) -> None:
        self._owed: list[Tick] = []
        """Shown and not answered, the newest last."""
        self._newest: Observation | None = None
        self._shown = -1
        """The newest tick that the program was shown."""
        self._held_up = 0
        self._skipped: list[Tick] = []
        self._answer: Action | None = None

    def observe(self, observation: Observation, *, can_read: bool) -> Observation | Action | None:
        """Take the newest observation.

        Args:
            observation: as it came from the server.
            can_read: whether the program has read what it was sent before.

        Returns:
            the observation to show to the program now; or the answer that it gave already (after a
            resume the same tick comes again, P2.4); or None: it waits.
        """
        if self._answer is not None and self._answer.tick == observation.tick:
            return self._answer
        if self._newest is not None and self._waits:
            self._skipped.append(self._newest.tick)
        self._newest = observation
        if not can_read or (self._is_owed and self._held_up < PATIENCE):
            self._held_up += 1
            return None
        return self._show()

    def answer(self, action: Action) -> None:
        """Take an answer of the program.

        Raises:
            BadLine: no tick waits for it.
        """
        tick = action.tick
        if tick not in self._owed:
            raise self._unasked(tick)
        self._owed.remove(tick)
        self._answer = action

    def next(self) -> Observation | None:
        """Return the observation that waited, if the program is free for it."""
        return self._show() if self._waits and not self._is_owed else None

    def restart(self) -> Observation | None:
        """Forget what a program owed that is gone; return what its successor has to answer, if anything."""
        owed = self._is_owed
        self._owed.clear()
        return self._show() if owed or self._waits else None

    @property
    def _waits(self) -> bool:
        return self._newest is not None and self._newest.tick > self._shown

    @property
    def _is_owed(self) -> bool:
        return self._shown in self._owed

    def _show(self) -> Observation:
        assert self._newest is not None, "there is one to show"
        observation = self._newest
        self._shown = observation.tick
        self._held_up = 0
        self._owed = [*self._owed[-PATIENCE:], observation.tick]
        if not self._skipped:
            return observation
        missed = tuple(sorted({*self._skipped, *(observation.missed or ())}))
        self._skipped.clear()
        return observation.model_copy(update={"missed": missed})

    def _unasked(self, tick: Tick) -> BadLine:
        if tick > self._shown:
            newest = f"the newest is {self._shown}" if self._shown >= 0 else "none was shown yet"
            return BadLine("future", f"answers tick {tick}, which was not shown yet; {newest}")
        if self._answer is not None and tick == self._answer.tick:
            return BadLine("again", f"answers tick {tick} a second time; the first answer counts")
        return BadLine("past", f"answers tick {tick}, which no longer waits; the newest is {self._shown}")
