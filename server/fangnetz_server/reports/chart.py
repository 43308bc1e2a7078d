"""The ratings over the rounds as a drawing (SVG) that stands inside a page."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from fangnetz_server.reports.picture import Picture
from fangnetz_server.tournament.ratings import NEWCOMER
from fangnetz_server.tournament.values import BotKey

__all__ = ["SHOWN", "rating_chart"]

SHOWN: Final = 12
"""Bots that are drawn, the best ones; more lines can nobody tell apart."""
_MOST_POINTS: Final = 200
_WIDTH, _HEIGHT = 900, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 170, 14, 26


def rating_chart(picture: Picture) -> str:
    """Return the drawing; empty if nobody has a rating."""
    curves = {row.bot: _curve(picture, row.bot) for row in picture.rows if picture.ratings.get(row.bot)}
    shown = dict(list(curves.items())[:SHOWN])
    if not shown:
        return ""
    values = [value for curve in shown.values() for value in curve]
    low, high = min(values) - 1, max(values) + 1
    return "".join(_drawing(shown, low, high))


def _curve(picture: Picture, bot: BotKey) -> list[float]:
    """Return the mean after every rated match, thinned out if there are many."""
    values = [NEWCOMER.mu, *(point.rating.mu for point in picture.ratings[bot])]
    step = -(-len(values) // _MOST_POINTS)
    return values[::step] if values[-1] == values[::step][-1] else [*values[::step], values[-1]]


def _drawing(curves: dict[BotKey, list[float]], low: float, high: float) -> Iterator[str]:
    yield (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Ratings over the matches of each bot; '
        'the figures are in the table above">'
    )
    for number in range(5):
        value = low + (high - low) * number / 4
        y = _y(value, low, high)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.0f}</text>'
    labels = _spread([_y(curve[-1], low, high) for curve in curves.values()])
    for number, ((bot, curve), label) in enumerate(zip(curves.items(), labels, strict=True)):
        colour = f"hsl({number * 360 // len(curves)} 70% 45%)"
        yield f'<polyline fill="none" stroke="{colour}" points="{_points(curve, low, high)}"/>'
        yield f'<text x="{_WIDTH - _RIGHT + 8}" y="{label + 4:.1f}" fill="{colour}">{escape(bot)}</text>'
    yield f'<text x="{_LEFT}" y="{_HEIGHT - 6}">first match</text>'
    yield f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">newest match</text></svg>'


def _points(curve: Sequence[float], low: float, high: float) -> str:
    width = _WIDTH - _LEFT - _RIGHT
    last = max(1, len(curve) - 1)
    return " ".join(
        f"{_LEFT + width * index / last:.1f},{_y(value, low, high):.1f}" for index, value in enumerate(curve)
    )


def _y(value: float, low: float, high: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)


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
