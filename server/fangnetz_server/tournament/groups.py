"""Group stage and knock-out: round robins in groups, then a bracket of the best of each."""

from collections.abc import Iterator, Mapping, Sequence

from fangnetz_server.tournament.knockout import knockout, seed_order
from fangnetz_server.tournament.lots import lot
from fangnetz_server.tournament.options import GroupsOptions
from fangnetz_server.tournament.ranking import rank_duels
from fangnetz_server.tournament.round_robin import round_robin
from fangnetz_server.tournament.scores import score_board
from fangnetz_server.tournament.spec import TournamentSpec
from fangnetz_server.tournament.values import BotKey, History, Pairing

__all__ = ["group_members", "group_rounds", "group_stage_is_over", "groups", "qualified"]


def groups(spec: TournamentSpec, options: GroupsOptions, history: History) -> Iterator[Pairing]:
    """Yield all games of the groups, and after them what is due in the knock-out."""
    if not history.pairings:
        bots = [bot for bot in spec.bots() if bot not in history.withdrawn]
        for stage, members in _deal_groups(options, bots).items():
            yield from round_robin(spec, members, options.legs, stage)
    elif group_stage_is_over(options, history):
        seeds = qualified(spec, options, history)
        if len(seeds) >= 2:
            yield from knockout(spec, options.knockout, seeds, history, group_rounds(history))


def group_members(history: History) -> dict[str, tuple[BotKey, ...]]:
    """Return the groups as they were handed out, by stage, in the order of their numbers."""
    members: dict[str, dict[BotKey, None]] = {}
    for pairing in history.pairings:
        if pairing.stage.startswith("group"):
            members.setdefault(pairing.stage, {}).update(dict.fromkeys(pairing.seats))
    ordered = sorted(members, key=lambda stage: int(stage.removeprefix("group")))
    return {stage: tuple(sorted(members[stage])) for stage in ordered}


def group_rounds(history: History) -> int:
    """Return the number of the last round of the group stage."""
    return max((p.round for p in history.pairings if p.stage.startswith("group")), default=0)


def group_stage_is_over(options: GroupsOptions, history: History) -> bool:
    """Tell whether all games of the groups have a result, also those of rounds that are not shown yet."""
    games = sum(len(bots) * (len(bots) - 1) // 2 for bots in group_members(history).values()) * options.legs
    return games == sum(pairing.stage.startswith("group") for pairing, _ in history.played())


def qualified(spec: TournamentSpec, options: GroupsOptions, history: History) -> list[BotKey]:
    """Return the bots of the knock-out, in the order of their seeding.

    Winners of groups come first, then the second of each group, and so on; inside such a tier the
    better result in the group. Where that would make two bots of one group meet in the first
    round, the lower tier changes places.
    """
    group_of: dict[BotKey, str] = {}
    tiers: list[list[tuple[float, int, BotKey]]] = [[] for _ in range(options.qualifiers)]
    for stage, members in group_members(history).items():
        board = score_board(spec, history, members, stage)
        here = [bot for bot in rank_duels(spec, board, by_lot=True) if bot not in history.withdrawn]
        for tier, bot in zip(tiers, here, strict=False):
            group_of[bot] = stage
            mean = board[bot].micro / max(1, board[bot].played)
            tier.append((-mean, lot(spec.seed, "qualified", bot), bot))
    return _apart([[bot for *_, bot in sorted(tier)] for tier in tiers], group_of)


def _deal_groups(options: GroupsOptions, bots: Sequence[BotKey]) -> dict[str, list[BotKey]]:
    """Deal the seeding out like a snake: 1 2 3 3 2 1 1 2 3 …"""
    members: list[list[BotKey]] = [[] for _ in range(options.groups)]
    for number, bot in enumerate(bots):
        lap, place = divmod(number, options.groups)
        members[place if lap % 2 == 0 else -1 - place].append(bot)
    return {f"group{number}": dealt for number, dealt in enumerate(members, start=1)}


def _apart(tiers: Sequence[Sequence[BotKey]], group_of: Mapping[BotKey, str]) -> list[BotKey]:
    seeds = [bot for tier in tiers for bot in tier]
    opponent = _first_opponents(len(seeds))
    start = 0
    for tier in tiers:
        for place in range(start, start + len(tier)):
            _swap_away(seeds, place, range(start, start + len(tier)), opponent, group_of)
        start += len(tier)
    return seeds


def _first_opponents(bots: int) -> list[int]:
    """Return for each seed the seed that it meets in the first round (beyond the end for a bye)."""
    order = seed_order(1 << max(0, bots - 1).bit_length())
    opponent = [0] * len(order)
    for one, other in zip(order[::2], order[1::2], strict=False):
        opponent[one], opponent[other] = other, one
    return opponent


def _swap_away(
    seeds: list[BotKey], place: int, tier: range, opponent: Sequence[int], group_of: Mapping[BotKey, str]
) -> None:
    """Change the bot on `place` with the nearest of its tier, if both then meet another group."""

    def clashes(here: int) -> bool:
        other = opponent[here]
        return other < len(seeds) and other != here and group_of[seeds[here]] == group_of[seeds[other]]

    if opponent[place] > place or not clashes(place):
        return
    for other in sorted(tier, key=lambda candidate: (abs(candidate - place), candidate)):
        seeds[place], seeds[other] = seeds[other], seeds[place]
        if not clashes(place) and not clashes(other):
            return
        seeds[place], seeds[other] = seeds[other], seeds[place]
