"""The numbers of R5.4 and R6, all exact."""

from fractions import Fraction

__all__ = ["blue_points", "forced_round", "places", "red_points"]


def forced_round(last_change: int) -> int:
    """Return the first round r with 10*(r-M) >= 250+r, M being the round of the last change (R5.4)."""
    return -(-10 * (25 + last_change) // 9)


def blue_points(tick: int, reds: int) -> Fraction:
    """Return what one who turns RED in round `tick` gets; `reds` were RED at its start (R6.1)."""
    return Fraction(tick * reds, 10)


def red_points(tick: int, last_change: int, blues: int, catchers: int) -> Fraction:
    """Return what each of the `catchers` of one BLUE gets in round `tick` (R6.2).

    Args:
        tick: this round.
        last_change: the round M before this round's changes.
        blues: players who were BLUE at the start of the changes, the caught one included.
        catchers: how many touched him.
    """
    end = last_change
    for _ in range(blues):
        end = forced_round(end)
    return Fraction(max(0, end - tick), blues * catchers)


def places(points: tuple[Fraction, ...]) -> tuple[int, ...]:
    """Return the place of each seat; equal points share one and the next is left out (R6.5)."""
    return tuple(1 + sum(other > own for other in points) for own in points)
