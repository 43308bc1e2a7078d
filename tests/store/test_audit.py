"""The audit log."""

from fangnetz_server.store import Store
from fangnetz_server.store.values import AuditNote


async def test_the_log_is_read_backwards_in_pages(store: Store) -> None:
    notes = [AuditNote("eve", "pause", f"m{number % 2}", {"number": number}) for number in range(5)]
    for note in notes:
        await store.audit.add(note)
    newest = await store.audit.records(limit=2)
    assert [record.note for record in newest] == notes[:-3:-1]
    older = await store.audit.records(before=newest[-1].number)
    assert [record.note for record in older] == notes[-3::-1]
    assert [record.note for record in await store.audit.records(target="m1")] == [notes[3], notes[1]]
    assert newest[0].at >= newest[1].at
