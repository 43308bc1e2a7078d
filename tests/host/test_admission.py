"""Who may come in, and under which name."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from fangnetz_protocol import errors
from fangnetz_protocol.messages import Hello
from fangnetz_protocol.words import BotId, MatchId
from fangnetz_server.host.admission import MAX_NAME, Admission, check_name
from fangnetz_server.match.seats import Entrant
from fangnetz_server.store.store import Store, opened_store
from fangnetz_server.store.values import SeatGrant


def hello(**fields: str) -> Hello:
    return Hello.model_validate({"protocol": "1.0", **fields})


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["a", "Ada", "Müller", "Бот", "机器人", "बॉट", "بوت", "robot 9", "R2-D2 (v1.0)", "🤖", "x" * MAX_NAME],
)
def test_good_names_stay_as_they_are(name: str) -> None:
    assert check_name(name) == name


def test_names_are_compared_and_shown_composed() -> None:
    assert check_name("Mu\u0308ller") == "M\u00fcller"
    assert check_name("\u212bngstr\u00f6m") == "\u00c5ngstr\u00f6m"


def test_spaces_around_a_name_do_not_count() -> None:
    assert check_name("  Ada ") == "Ada"
    assert check_name(" " * 100 + "Ada") == "Ada"


@pytest.mark.parametrize("name", ["", " ", "\t\n", "x" * (MAX_NAME + 1), "\u00a0"])
def test_names_of_the_wrong_length(name: str) -> None:
    with pytest.raises(errors.BadName, match="has to have 1 to 32 visible characters") as caught:
        check_name(name)
    assert caught.value.field == "name"


def test_the_length_counts_composed_characters() -> None:
    assert len(check_name("u\u0308" * MAX_NAME)) == MAX_NAME


@pytest.mark.parametrize(
    ("character", "kind"),
    [
        ("\0", "control"),
        ("\x1b", "escape"),
        ("\n", "line end"),
        ("\x7f", "delete"),
        ("\x85", "next line"),
        ("\u200b", "zero-width space"),
        ("\u200c", "zero-width non-joiner"),
        ("\u200d", "zero-width joiner"),
        ("\ufeff", "byte order mark"),
        ("\u2060", "word joiner"),
        ("\u00ad", "soft hyphen"),
        ("\u202e", "right-to-left override"),
        ("\u202a", "left-to-right embedding"),
        ("\u2066", "left-to-right isolate"),
        ("\u200f", "right-to-left mark"),
        ("\u061c", "arabic letter mark"),
        ("\u2028", "line separator"),
        ("\u2029", "paragraph separator"),
        ("\ue000", "private use"),
        ("\u0378", "unassigned"),
        ("\U000e0041", "tag"),
        ("\u00a0", "no-break space"),
        ("\u3000", "wide space"),
        ("\u2009", "thin space"),
        ("\u3164", "hangul filler"),
        ("\u115f", "hangul choseong filler"),
        ("\uffa0", "halfwidth hangul filler"),
        ("\u2800", "empty braille"),
        ("\ufe0f", "variation selector"),
        ("\U000e0100", "variation selector 17"),
        ("\u034f", "combining grapheme joiner"),
    ],
)
def test_characters_that_cannot_be_seen_are_named(character: str, kind: str) -> None:
    with pytest.raises(errors.BadName, match=f"the character U\\+{ord(character):04X} cannot be seen"):
        check_name(f"Ad{character}a")


def test_a_refused_name_is_shown_without_its_tricks() -> None:
    with pytest.raises(errors.BadName) as caught:
        check_name("Ada\u202e" + "x" * 5000)
    assert str(caught.value).isascii()
    assert len(str(caught.value)) < 200


# --- who ------------------------------------------------------------------------------------------


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened_store(tmp_path) as opened:
        yield opened


async def admit(
    admission: Admission, header: str | None = None, *, present: Sequence[Entrant] = (), **fields: str
) -> Entrant:
    return await admission.admit(hello(**fields), header, lambda: present)


async def test_anybody_comes_into_an_open_server_under_a_name(store: Store) -> None:
    entrant = await admit(Admission(store, is_open=True), name=" Mu\u0308ller")
    assert entrant == Entrant(BotId("Müller"), "Müller")


async def test_guests_without_a_name_get_one_each(store: Store) -> None:
    admission = Admission(store, is_open=True)
    assert [(await admit(admission)).name for _ in range(3)] == ["guest-1", "guest-2", "guest-3"]


async def test_a_bad_name_is_refused(store: Store) -> None:
    with pytest.raises(errors.BadName):
        await admit(Admission(store, is_open=True), name="\u200b")


async def test_nobody_comes_into_a_closed_server_without_a_token(store: Store) -> None:
    with pytest.raises(errors.BadToken):
        await admit(Admission(store, is_open=False), name="Ada")


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_token_opens_the_seat_that_is_kept_for_it(store: Store, is_open: bool) -> None:
    admission = Admission(store, is_open=is_open)
    ada, bert = Entrant(BotId("a"), "Ada"), Entrant(BotId("b"), "Bert")
    token = admission.reserve(ada)
    other = admission.reserve(bert)
    assert await admit(admission, token=token) == ada
    assert await admit(admission, other, name="whoever") == bert
    assert await admit(admission, other, token=token) == bert, "the header is stronger than the message"
    assert await admit(admission, token=token) == ada, "as often as needed"


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_wrong_token_is_refused_and_not_repeated(store: Store, is_open: bool) -> None:
    admission = Admission(store, is_open=is_open)
    token = admission.reserve(Entrant(BotId("a"), "Ada"))
    for wrong in (token[:-1], token + "x", token.swapcase(), "secret"):
        with pytest.raises(errors.BadToken) as caught:
            await admit(admission, token=wrong)
        assert wrong not in str(caught.value)


async def test_tokens_are_long_and_never_the_same(store: Store) -> None:
    admission = Admission(store, is_open=False)
    tokens = {admission.reserve(Entrant(BotId("a"), "Ada")) for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 32
    assert not tokens & set(vars(admission)["_reserved"]), "only their digests are kept"


async def test_a_registered_bot_comes_in_with_its_token(store: Store) -> None:
    admission = Admission(store, is_open=False)
    bot, token = await store.bots.add("Ada")
    assert await admit(admission, token) == bot.entrant
    assert await admit(admission, token=token, name="another") == Entrant(bot.id, "Ada"), "its name stays"


async def test_a_rotated_or_disabled_token_opens_nothing(store: Store) -> None:
    admission = Admission(store, is_open=True)
    bot, old = await store.bots.add("Ada")
    new = await store.bots.rotate(bot.id)
    with pytest.raises(errors.BadToken):
        await admit(admission, old)
    assert (await admit(admission, new)).bot == bot.id
    await store.bots.disable(bot.id)
    with pytest.raises(errors.BadToken):
        await admit(admission, new)


async def test_a_seat_code_opens_its_seat_once(store: Store) -> None:
    admission = Admission(store, is_open=False)
    grant = SeatGrant(BotId("seat-1"), "Guest", MatchId("m1"), 0)
    code = await store.seat_codes.issue(grant)
    assert await admit(admission, token=code.lower()) == Entrant(BotId("seat-1"), "Guest")
    with pytest.raises(errors.BadToken):
        await admit(admission, token=code)


@pytest.mark.parametrize("name", ["Ada", "ADA", "\u0410da"])
async def test_a_guest_may_not_look_like_a_registered_bot(store: Store, name: str) -> None:
    await store.bots.add("Ada")
    with pytest.raises(errors.NameTaken):
        await admit(Admission(store, is_open=True), name=name)


async def test_a_guest_may_not_take_the_id_of_a_registered_bot_for_a_name(store: Store) -> None:
    bot, _ = await store.bots.add("Ada")
    with pytest.raises(errors.NameTaken):
        await admit(Admission(store, is_open=True), name=bot.id)


async def test_a_guest_may_not_look_like_another_guest_but_may_come_back(store: Store) -> None:
    admission = Admission(store, is_open=True)
    here = Entrant(BotId("Eve"), "Eve")
    assert await admit(admission, name="Eve", present=[here]) == here, "the gateway sees to two at once"
    with pytest.raises(errors.NameTaken):
        await admit(admission, name="\u0415ve", present=[here])
    assert (await admit(admission, name="Steve", present=[here])).name == "Steve"
