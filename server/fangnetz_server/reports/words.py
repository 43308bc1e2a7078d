"""How figures are written for people, the same in every report."""

from fangnetz_server.reports.picture import Picture
from fangnetz_server.tournament.elo import EloEstimate
from fangnetz_server.tournament.ratings import Rating
from fangnetz_server.tournament.standings import Row, Table

__all__ = ["columns", "elo_text", "number", "rating_text", "row_cells", "subtitle"]


def number(value: float | None) -> str:
    """Return a number with up to six decimals, none where none are needed."""
    return "" if value is None else f"{value:.6f}".rstrip("0").rstrip(".")


def rating_text(rating: Rating | None) -> str:
    """Return a rating with the half width of its 95 % interval."""
    return "" if rating is None else f"{rating.mu:.1f} ± {2 * rating.sigma:.1f}"


def elo_text(elo: EloEstimate | None) -> str:
    """Return an Elo difference with its bounds; a score of 0 or 1 has none."""
    if elo is None or elo.games == 0 or elo.elo is None:
        return ""
    low = "-∞" if elo.low is None else f"{elo.low:+.0f}"
    high = "+∞" if elo.high is None else f"{elo.high:+.0f}"
    return f"{elo.elo:+.0f} ({low} … {high})"


def subtitle(picture: Picture) -> str:
    """Return what is played, how, and how far it is."""
    kind = picture.spec.format.kind.replace("_", " ")
    if picture.until is None:
        return f"{picture.game}, {kind}, {picture.state}"
    shown = f"results up to round {picture.until}" if picture.until else "no results are released yet"
    return f"{picture.game}, {kind}, {shown}"


def columns(picture: Picture) -> list[str]:
    """Return the heads of a table's columns."""
    outcomes = ["wins", "draws", "losses"] if picture.is_duels else ["first places"]
    elo = ["Elo to the field"] if picture.is_duels else []
    return ["place", "bot", "points", "played", *outcomes, "absent", "faults", "tie-breaks", "rating", *elo]


def row_cells(picture: Picture, table: Table, row: Row) -> list[str]:
    """Return a bot's cells, one a column."""
    outcomes = [row.wins, row.draws, row.losses] if picture.is_duels else [row.wins]
    ties = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in row.tie_breaks)
    cells = [
        f"{row.place}{'=' if row.shared else ''}",
        f"{row.bot}{' (withdrawn)' if row.withdrawn else ''}",
        number(row.points),
        *map(str, (row.played, *outcomes, row.absences, row.faults)),
        ties,
        rating_text(picture.rating(row.bot)),
    ]
    return [*cells, elo_text(picture.elo(row))] if picture.is_duels else cells
