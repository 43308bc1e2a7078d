"""A store that is as full as the biggest that has to be fast: written as rows, as nobody waits for it."""

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, create_engine, insert, select

from fangnetz_server.store import opened_store, tables
from fangnetz_server.store.store import DATABASE
from fangnetz_server.tournament.values import Pairing
from support.stored import attempt, entries, pairing, replay_of, result_of, start_of

__all__ = ["BOTS", "MATCHES", "fill"]

BOTS: Final = 200
MATCHES: Final = 10_000
_A_ROUND: Final = 50


async def fill(folder: Path) -> None:
    """Make a store of one tournament, `cup`: 200 registered bots and 10,000 matches with results."""
    drawn = [_drawn(number) for number in range(MATCHES)]
    model = start_of("model", *_bots(drawn[0]), pairing=attempt(drawn[0]))
    async with opened_store(folder) as store:
        for number in range(BOTS):
            await store.bots.add(f"Team {number}")
        bots = [f"bot{number}" for number in range(BOTS)]
        await store.tournaments.create("cup", "The Cup", {}, entries(*bots))
        await store.tournaments.add_pairings("cup", drawn)
        await store.matches.finish(model, result_of(model), replay=replay_of("model"), picture=[b"x" * 2000])
    engine = create_engine(f"sqlite:///{folder / DATABASE}")
    with engine.begin() as connection:
        _multiply(connection, drawn)
    engine.dispose()


def _drawn(number: int) -> Pairing:
    one, other = number % BOTS, (number + 1 + number // BOTS) % BOTS
    return pairing(number % _A_ROUND + 1, f"bot{one}", f"bot{other}", round=number // _A_ROUND + 1)


def _bots(drawn: Pairing) -> tuple[str, ...]:
    return tuple(key.lower() for key in drawn.seats)


def _multiply(connection: Connection, drawn: list[Pairing]) -> None:
    """Copy the rows of the one match for all pairings but the first, whose match it is."""
    ids = {of.id: f"m{number:05}" for number, of in enumerate(drawn[1:], start=1)}
    bots = {ids[of.id]: _bots(of) for of in drawn[1:]}
    for table in ("matches", "match_seats", "results", "result_seats", "pictures"):
        source = tables.METADATA.tables[table]
        models = [dict(row._mapping) for row in connection.execute(select(source))]
        rows = [_copy(model, of, ids[of.id], bots[ids[of.id]]) for of in drawn[1:] for model in models]
        connection.execute(insert(source), rows)
    for key, match in ids.items():
        connection.exec_driver_sql(
            "UPDATE pairings SET state = 'done', decided_by = ? WHERE key = ?", (match, key)
        )


def _copy(model: dict[str, Any], of: Pairing, match: str, bots: tuple[str, ...]) -> dict[str, Any]:
    row = {key: value for key, value in model.items() if key != "number"}
    row["match" if "match" in row else "id"] = match
    if "pairing" in row:
        row["pairing"] = of.id
    if "bot" in row:
        row["bot"] = bots[row["seat"]]
    return row
