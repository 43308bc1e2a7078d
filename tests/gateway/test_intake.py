"""A flood is read in bites, one a turn, and no more is read from the wire until they are worked off."""

import asyncio
from collections.abc import Callable

import pytest

from fangnetz_server.gateway.intake import BITE, Intake, Turns
from support.virtual_loop import run_virtually


class Wire(asyncio.Transport):
    """Notes whether it is to be read."""

    def __init__(self) -> None:
        super().__init__()
        self.is_read = True
        self.closing = False

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def is_closing(self) -> bool:
        return self.closing


class Eater:
    """Takes bites; how many bytes each had, and what they were together."""

    def __init__(self, turns: Turns | None = None, *, at_once: int = BITE) -> None:
        self.bites: list[int] = []
        self.eaten = b""
        self.wire = Wire()
        self.intake = Intake(turns or Turns(), self.wire, self.eat, at_once=at_once)
        self.after_a_bite: Callable[[], None] = lambda: None

    def eat(self, data: bytes) -> None:
        self.bites.append(len(data))
        self.eaten += data
        self.after_a_bite()


def test_a_little_is_worked_off_at_once() -> None:
    async def main() -> None:
        eater = Eater()
        for text in (b"abc", b"d" * BITE):
            eater.intake.take(text)
        assert (eater.bites, eater.wire.is_read) == ([3, BITE], True)

    run_virtually(main())


def test_a_flood_is_worked_off_a_bite_a_turn_and_in_order() -> None:
    async def main() -> None:
        eater, flood = Eater(), bytes(range(256)) * 40
        eater.intake.take(flood)
        assert (eater.bites, eater.wire.is_read) == ([], False)
        eater.intake.take(b"and more")
        assert eater.bites == [], "what comes later waits its turn"
        await asyncio.sleep(0)
        assert (eater.bites, eater.wire.is_read) == ([BITE], False)
        await asyncio.sleep(1)
        assert eater.eaten == flood + b"and more"
        assert max(eater.bites) == BITE
        assert eater.wire.is_read

    run_virtually(main())


def test_while_nothing_more_is_wanted_nothing_is_worked_off() -> None:
    async def main() -> None:
        eater = Eater()
        eater.after_a_bite = eater.intake.pause_reading
        eater.intake.take(b"x" * 3 * BITE)
        for bites in (1, 2):
            await asyncio.sleep(1)
            assert (len(eater.bites), eater.wire.is_read) == (bites, False)
            eater.intake.resume_reading()
            assert (len(eater.bites), eater.wire.is_read) == (bites, False), "that is work for a later turn"
        eater.after_a_bite = lambda: None
        await asyncio.sleep(1)
        assert (len(eater.bites), eater.wire.is_read) == (3, True)

    run_virtually(main())


def test_in_one_turn_one_of_many_is_served() -> None:
    async def main() -> None:
        turns = Turns()
        eaters = [Eater(turns, at_once=0) for _ in range(3)]
        for eater in eaters:
            eater.intake.take(b"GET /")
        for turn in range(4):
            assert [eater.eaten for eater in eaters] == [b"GET /"] * turn + [b""] * (3 - turn)
            if turn < 3:
                await asyncio.sleep(0)
        assert all(eater.wire.is_read for eater in eaters)

    run_virtually(main())


def test_a_pause_without_a_flood_holds_the_wire_only() -> None:
    async def main() -> None:
        eater = Eater()
        eater.intake.pause_reading()
        assert not eater.wire.is_read
        eater.intake.take(b"was on its way")
        assert eater.bites == []
        eater.intake.resume_reading()
        await asyncio.sleep(1)
        assert (eater.eaten, eater.wire.is_read) == (b"was on its way", True)

    run_virtually(main())


@pytest.mark.parametrize("in_a_bite", [True, False])
def test_the_rest_of_a_flood_is_forgotten_and_the_wire_read_to_its_end(in_a_bite: bool) -> None:
    async def main() -> None:
        eater = Eater()
        if in_a_bite:
            eater.after_a_bite = eater.intake.forget
        eater.intake.take(b"x" * 3 * BITE)
        await asyncio.sleep(0)
        eater.intake.forget()
        await asyncio.sleep(1)
        eater.intake.take(b"x" * 3 * BITE)
        eater.intake.pause_reading()
        assert (len(eater.bites), eater.wire.is_read) == (1, True)

    run_virtually(main())


def test_who_does_not_flood_is_listened_to_until_the_end() -> None:
    async def main() -> None:
        eater = Eater()
        eater.intake.forget()
        eater.intake.take(b"goodbye")
        assert eater.eaten == b"goodbye"

    run_virtually(main())


def test_the_end_of_the_connection_is_the_end() -> None:
    async def main() -> None:
        eater = Eater()
        eater.intake.take(b"x" * 3 * BITE)
        await asyncio.sleep(0)
        eater.wire.closing = True
        eater.intake.close()
        await asyncio.sleep(1)
        assert (len(eater.bites), eater.wire.is_read) == (1, False)

    run_virtually(main())
