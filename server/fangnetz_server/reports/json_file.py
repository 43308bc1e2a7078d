"""A tournament as JSON: everything that the other reports show, for programs."""

from dataclasses import asdict
from typing import Any

import orjson

from fangnetz_server.reports.picture import MatchLine, Picture, rating_json, tables_json

__all__ = ["json_file"]


def json_file(picture: Picture) -> bytes:
    """Return the whole picture. Seeds are not in it: they tell the fields that are still to be played."""
    fields: dict[str, Any] = {
        "id": picture.id,
        "name": picture.name,
        "game": picture.game,
        "format": picture.spec.format.model_dump(mode="json"),
        "state": picture.state,
        "until_round": picture.until,
        **tables_json(picture),
        "matches": [_line(line) for line in picture.matches],
        "ratings": {
            bot: [
                {"round": point.round, "game": point.game, **(rating_json(point.rating) or {})}
                for point in points
            ]
            for bot, points in picture.ratings.items()
        },
        "actions": {bot: asdict(totals) for bot, totals in (picture.totals or {}).items()},
    }
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2)


def _line(line: MatchLine) -> dict[str, Any]:
    ended = None if line.ended_at is None else line.ended_at.isoformat(timespec="seconds")
    return {**asdict(line), "ended_at": ended}
