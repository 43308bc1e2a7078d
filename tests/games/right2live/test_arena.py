"""The layout of a map: neighbours without borders, steps and touches against plain definitions."""

from hypothesis import given
from hypothesis import strategies as st

from fangnetz_protocol.words import COMPASS
from fangnetz_server.games.right2live.arena import Arena, build_arena


@st.composite
def arenas(draw: st.DrawFn) -> Arena:
    """Return any small map, from a single column on."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    line = st.text("#. ", min_size=width, max_size=width)
    return build_arena(tuple(draw(st.lists(line, min_size=height, max_size=height))), None)


def is_free(rows: list[str], x: int, y: int) -> bool:
    return 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == "."


@given(arenas())
def test_steps_go_where_the_rule_says(arena: Arena) -> None:
    rows = arena.rows()
    for field in arena.free_fields():
        x, y = arena.xy(field)
        for way in COMPASS:
            free = is_free(rows, x + way.dx, y + way.dy)
            ways = is_free(rows, x + way.dx, y) and is_free(rows, x, y + way.dy)
            assert arena.can_step(field, way) == (free and (ways or not (way.dx and way.dy)))


@given(arenas(), st.data())
def test_touches_are_what_the_rule_says(arena: Arena, data: st.DataObject) -> None:
    rows, free = arena.rows(), arena.free_fields()
    taken = data.draw(st.sets(st.sampled_from(free))) if free else set()
    bits = sum(1 << field for field in taken)
    for one in free:
        x, y = arena.xy(one)
        for way in COMPASS:
            if not is_free(rows, x + way.dx, y + way.dy):
                continue
            beside = [(x + way.dx, y), (x, y + way.dy)]
            open_ways = [at for at in beside if is_free(rows, *at) and arena.at(*at) not in taken]
            expected = bool(open_ways) or not (way.dx and way.dy)
            assert arena.can_touch(one, arena.at(x + way.dx, y + way.dy), bits) == expected


@given(arenas())
def test_fields_have_their_place(arena: Arena) -> None:
    assert arena.free_fields() == [
        arena.at(x, y) for y, row in enumerate(arena.rows()) for x, sign in enumerate(row) if sign == "."
    ]
    assert all(arena.at(*arena.xy(field)) == field for field in arena.free_fields())


def test_the_same_map_in_other_words_is_the_same_arena() -> None:
    one = build_arena((". #",), ("10 ",))
    assert one == build_arena(("..#",), ("1#5",)), "poison under a wall makes no difference"
    assert one.rows() == ["..#"]
    assert one.layer() == ["10#"]
    assert one != build_arena(("..#",), ("11.",))
    assert one.digest != build_arena(("..#",), ("11.",)).digest
