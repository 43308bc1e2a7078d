"""Registered bots and their tokens."""

from pathlib import Path

import pytest

from fangnetz_protocol.words import BotId
from fangnetz_server.store import Store, opened_store
from fangnetz_server.store.errors import NameTaken, Unknown
from fangnetz_server.store.values import AuditNote

NOBODY = BotId("nobody")


def all_bytes(folder: Path) -> bytes:
    """Return what all files of a folder hold."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_token_leads_to_its_bot(store: Store) -> None:
    ada, token = await store.bots.add("Ada", owner="Class 9b")
    _, other = await store.bots.add("Bert")
    assert token != other
    assert await store.bots.by_token(token) == ada
    assert (ada.name, ada.owner, ada.disabled_at) == ("Ada", "Class 9b", None)
    assert (ada.entrant.bot, ada.entrant.name) == (ada.id, "Ada")


@pytest.mark.parametrize("token", ["", "fnz_", "fnz_" + "A" * 32, "\ud800", "x\x00y"])
async def test_other_tokens_lead_nowhere(store: Store, token: str) -> None:
    await store.bots.add("Ada")
    assert await store.bots.by_token(token) is None


async def test_tokens_are_not_in_the_files(tmp_path: Path) -> None:
    async with opened_store(tmp_path) as store:
        ada, token = await store.bots.add("Ada")
        newer = await store.bots.rotate(ada.id, note=AuditNote("host", "bot rotate", ada.id))
    stored = all_bytes(tmp_path)
    assert b"Ada" in stored
    for secret in (token, newer):
        assert secret.removeprefix("fnz_").encode() not in stored


async def test_rotating_ends_the_old_token(store: Store) -> None:
    ada, token = await store.bots.add("Ada")
    newer = await store.bots.rotate(ada.id)
    assert await store.bots.by_token(token) is None
    assert await store.bots.by_token(newer) == ada


async def test_a_disabled_bot_is_known_as_such_and_can_come_back(store: Store) -> None:
    ada, token = await store.bots.add("Ada")
    disabled = await store.bots.disable(ada.id)
    again = await store.bots.disable(ada.id)
    assert disabled.disabled_at is not None
    assert again == disabled
    assert await store.bots.by_token(token) == disabled
    assert await store.bots.enable(ada.id) == ada


@pytest.mark.parametrize("name", ["Ada", "ADA", "\u0410da", "Ａda", "Ada\ufe0f"])
async def test_a_name_that_looks_taken_is_refused(store: Store, name: str) -> None:
    ada, _ = await store.bots.add("Ada")
    bert, _ = await store.bots.add("Bert")
    with pytest.raises(NameTaken, match=r"'Ada'.* taken"):
        await store.bots.add(name)
    with pytest.raises(NameTaken):
        await store.bots.rename(bert.id, name)
    assert await store.bots.all() == (ada, bert)
    assert await store.bots.like(name) == ada


async def test_the_name_of_a_disabled_bot_stays_taken(store: Store) -> None:
    ada, _ = await store.bots.add("Ada")
    await store.bots.disable(ada.id)
    with pytest.raises(NameTaken):
        await store.bots.add("Ada")


async def test_renaming_frees_the_old_name_and_allows_another_spelling(store: Store) -> None:
    ada, token = await store.bots.add("Ada")
    assert (await store.bots.rename(ada.id, "ADA")).name == "ADA"
    await store.bots.rename(ada.id, "Countess")
    assert (await store.bots.get(ada.id)).name == "Countess"
    await store.bots.add("Ada")
    found = await store.bots.by_token(token)
    assert found is not None
    assert found.name == "Countess"


async def test_unknown_bots(store: Store) -> None:
    for call in (
        store.bots.get(NOBODY),
        store.bots.rotate(NOBODY),
        store.bots.disable(NOBODY),
        store.bots.enable(NOBODY),
        store.bots.rename(NOBODY, "Ada"),
        store.bots.note_version(NOBODY, "sdk", "1", "python"),
    ):
        with pytest.raises(Unknown, match="no bot 'nobody'"):
            await call
    assert await store.bots.like("Ada") is None
    assert await store.bots.all() == ()


async def test_versions_are_noted_once_each(store: Store) -> None:
    ada, _ = await store.bots.add("Ada")
    await store.bots.note_version(ada.id, "hunter", "1.0", "python")
    await store.bots.note_version(ada.id, "hunter", "1.1", "python")
    await store.bots.note_version(ada.id, "hunter", "1.0", "python")
    await store.bots.note_version(ada.id, None, None, None)
    versions = await store.bots.versions(ada.id)
    assert [(seen.client, seen.version, seen.language) for seen in versions] == [
        ("hunter", "1.0", "python"),
        ("hunter", "1.1", "python"),
        ("", "", ""),
    ]
    assert versions[0].last_seen > versions[0].first_seen
    assert versions[1].last_seen == versions[1].first_seen


async def test_a_command_and_its_note_are_one(store: Store) -> None:
    note = AuditNote("eve@10.0.0.7", "bot add", "Ada", {"owner": None})
    await store.bots.add("Ada", note=note)
    with pytest.raises(NameTaken):
        await store.bots.add("Ada", note=note)
    assert [record.note for record in await store.audit.records()] == [note]
