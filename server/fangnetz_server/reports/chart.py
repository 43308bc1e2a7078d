"""Ratings over the matches as drawings (SVG) that stand inside a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor
from typing import Final, TypeVar

from fangnetz_server.reports.picture import Picture
from fangnetz_server.tournament.ratings import NEWCOMER, Rating
from fangnetz_server.tournament.values import BotKey

__all__ = ["SHOWN", "rating_chart", "rating_curve"]

T = TypeVar("T")
SHOWN: Final = 12
"""Bots that are drawn, the best ones; more lines can nobody tell apart."""
_MOST_POINTS: Final = 200
_MOST_LINES: Final = 6
_STEPS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 1e4, 1e5, 1e6)
"""Distances of the lines of the grid: round numbers."""
_WIDTH, _HEIGHT = 900, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 170, 14, 26


def rating_chart(picture: Picture) -> str:
    """Return the curves of the best bots; empty if nobody has a rating."""
    rated = [row.bot for row in picture.rows if picture.ratings.get(row.bot)][:SHOWN]
    curves = {bot: _thinned([rating.mu for rating in _ratings(picture, bot)]) for bot in rated}
    return "".join(_drawing(curves)) if curves else ""


def rating_curve(picture: Picture, bot: BotKey) -> str:
    """Return the curve of one bot with its uncertainty; empty if it has no rating."""
    if not picture.ratings.get(bot):
        return ""
    ratings = _thinned(_ratings(picture, bot))
    low = [rating.mu - 2 * rating.sigma for rating in ratings]
    high = [rating.mu + 2 * rating.sigma for rating in ratings]
    scale = _Scale.of([*low, *high])
    band = f"{_points(high, scale)} {' '.join(reversed(_points(low, scale).split()))}"
    return "".join(
        [
            _opening("Rating over the matches"),
            *_grid(scale),
            f'<polygon points="{band}" fill="{_colour(0, 1)}" fill-opacity="0.18"/>',
            _line([rating.mu for rating in ratings], scale, _colour(0, 1)),
            *_ends(),
        ]
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Which values are drawn, and at which of them there is a line."""

    low: float
    high: float
    lines: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> "_Scale":
        low, high = min(values) - 1, max(values) + 1
        step = next(step for step in _STEPS if (high - low) / step <= _MOST_LINES)
        first = ceil(low / step)
        lines = tuple(step * number for number in range(first, floor(high / step) + 1))
        return cls(low, high, lines)

    def y(self, value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (self.high - value) / (self.high - self.low)


def _ratings(picture: Picture, bot: BotKey) -> list[Rating]:
    return [NEWCOMER, *(point.rating for point in picture.ratings[bot])]


def _thinned(values: Sequence[T]) -> list[T]:
    """Return some of the values, the last one among them, if there are many."""
    step = -(-len(values) // _MOST_POINTS)
    shown = list(values[::step])
    return shown if (len(values) - 1) % step == 0 else [*shown, values[-1]]


def _drawing(curves: dict[BotKey, list[float]]) -> Iterator[str]:
    scale = _Scale.of([value for curve in curves.values() for value in curve])
    yield _opening("Ratings over the matches of each bot; the figures are in the table above")
    yield from _grid(scale)
    labels = _spread([scale.y(curve[-1]) for curve in curves.values()])
    for number, ((bot, curve), label) in enumerate(zip(curves.items(), labels, strict=True)):
        colour = _colour(number, len(curves))
        yield _line(curve, scale, colour)
        yield f'<text x="{_WIDTH - _RIGHT + 8}" y="{label + 4:.1f}" fill="{colour}">{escape(bot)}</text>'
    yield from _ends()


def _opening(label: str) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">'


def _grid(scale: _Scale) -> Iterator[str]:
    for value in scale.lines:
        y = scale.y(value)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'


def _ends() -> Iterator[str]:
    yield f'<text x="{_LEFT}" y="{_HEIGHT - 6}">first match</text>'
    yield f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">newest match</text></svg>'


def _line(curve: Sequence[float], scale: _Scale, colour: str) -> str:
    return f'<polyline fill="none" stroke="{colour}" points="{_points(curve, scale)}"/>'


def _colour(number: int, of: int) -> str:
    """Return one of some colours that are equally bright, so that none is lost on white or black."""
    return f"oklch(62% 0.17 {(250 + number * 360 // of) % 360})"


def _points(curve: Sequence[float], scale: _Scale) -> str:
    width = _WIDTH - _LEFT - _RIGHT
    last = max(1, len(curve) - 1)
    return " ".join(
        f"{_LEFT + width * index / last:.1f},{scale.y(value):.1f}" for index, value in enumerate(curve)
    )


def _spread(wanted: Sequence[float]) -> list[float]:
    """Return the heights of labels near those wanted, so that none covers another."""
    line = 16.0
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    heights = [0.0] * len(wanted)
    lowest = float("-inf")
    for index in order:
        lowest = max(wanted[index], lowest + line)
        heights[index] = lowest
    too_low = max(0.0, lowest - (_HEIGHT - _BOTTOM)) if wanted else 0.0
    return [height - too_low for height in heights]
