"""Registered bots, their tokens and the programs that they came with."""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, NoReturn

from sqlalchemy import Column, ColumnElement, Connection, bindparam, insert, or_, select, update

from fangnetz_protocol.words import BotId
from fangnetz_server.store.audit import noted
from fangnetz_server.store.columns import AnyRow
from fangnetz_server.store.database import Database
from fangnetz_server.store.errors import NameTaken, Unknown
from fangnetz_server.store.names import NameKeys
from fangnetz_server.store.tables import bot_versions, bots
from fangnetz_server.store.tokens import hash_token, new_token, same_hash
from fangnetz_server.store.values import AuditNote, Bot, BotVersion

__all__ = ["Bots"]

_ID_BYTES: Final = 5
_SHOWN_BOT: Final[tuple[Column[Any], ...]] = (
    bots.c.id,
    bots.c.name,
    bots.c.owner,
    bots.c.created_at,
    bots.c.disabled_at,
)
_TAKEN: Final = (
    select(bots.c.id)
    .where(
        or_(
            bots.c.folded == bindparam("folded"),
            bots.c.looks == bindparam("looks"),
            bots.c.id == bindparam("id"),
        )
    )
    .limit(1)
)


class Bots:
    """The registered bots as a part of the store.

    A bot is registered under a name that the caller has checked. A `note` goes to the audit log
    together with what it is about.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def add(
        self, name: str, *, owner: str | None = None, note: AuditNote | None = None
    ) -> tuple[Bot, str]:
        """Register a bot; return it and its token, which nobody can read again.

        Raises:
            NameTaken: another bot has this name or one that looks like it.
            ValueError: nothing of the name can be seen.
        """
        keys, at, token = NameKeys.of(name), self._now(), new_token()
        bot = Bot(BotId(secrets.token_hex(_ID_BYTES)), name, owner, at)

        def work(tx: Connection) -> None:
            _refuse_taken(tx, name, keys, None)
            row = {"id": bot.id, "name": name, "owner": owner, "created_at": at}
            tx.execute(insert(bots).values(**row, **_key_columns(keys), token_hash=hash_token(token)))

        await self._database.write(noted(work, note, at))
        return bot, token

    async def rename(self, bot: BotId, name: str, *, note: AuditNote | None = None) -> Bot:
        """Give a bot another name; what it played keeps the name that it had.

        Raises:
            Unknown, NameTaken, ValueError: as in `add`.
        """
        keys = NameKeys.of(name)

        def work(tx: Connection) -> Bot:
            _refuse_taken(tx, name, keys, bot)
            return _change(tx, bot, {"name": name, **_key_columns(keys)})

        return await self._database.write(noted(work, note, self._now()))

    async def rotate(self, bot: BotId, *, note: AuditNote | None = None) -> str:
        """Return a new token; the old one ends with it.

        Raises:
            Unknown: there is no such bot.
        """
        token = new_token()

        def work(tx: Connection) -> None:
            _change(tx, bot, {"token_hash": hash_token(token)})

        await self._database.write(noted(work, note, self._now()))
        return token

    async def disable(self, bot: BotId, *, note: AuditNote | None = None) -> Bot:
        """Lock a bot out; its name stays taken. Doing it again changes nothing.

        Raises:
            Unknown: there is no such bot.
        """
        at = self._now()

        def work(tx: Connection) -> Bot:
            known = _get(tx, bots.c.id == bot) or _unknown(bot)
            return known if known.disabled_at else _change(tx, bot, {"disabled_at": at})

        return await self._database.write(noted(work, note, at))

    async def enable(self, bot: BotId, *, note: AuditNote | None = None) -> Bot:
        """Let a bot in again, with the token that it had.

        Raises:
            Unknown: there is no such bot.
        """
        return await self._database.write(
            noted(lambda tx: _change(tx, bot, {"disabled_at": None}), note, self._now())
        )

    async def get(self, bot: BotId) -> Bot:
        """Return a bot by its id.

        Raises:
            Unknown: there is no such bot.
        """
        return await self._database.read(lambda tx: _get(tx, bots.c.id == bot)) or _unknown(bot)

    async def by_token(self, token: str) -> Bot | None:
        """Return whose token this is, or None. Whether the bot is disabled, the caller has to look."""
        digest = hash_token(token)
        query = select(*_SHOWN_BOT, bots.c.token_hash).where(bots.c.token_hash == digest)
        row = await self._database.read(lambda tx: tx.execute(query).first())
        return _bot(row) if row is not None and same_hash(row.token_hash, digest) else None

    async def like(self, name: str) -> Bot | None:
        """Return the bot that has this name or one that looks like it.

        Raises:
            ValueError: nothing of the name can be seen.
        """
        keys = NameKeys.of(name)
        return await self._database.read(lambda tx: _get(tx, _is_like(keys)))

    async def is_taken(self, name: str) -> bool:
        """Tell whether a bot has this name, one that looks like it, or an id that reads like it.

        Raises:
            ValueError: nothing of the name can be seen.
        """
        keys = NameKeys.of(name)
        values = {"folded": keys.folded, "looks": keys.looks, "id": name}
        return await self._database.read(lambda tx: tx.execute(_TAKEN, values).first() is not None)

    async def all(self) -> tuple[Bot, ...]:
        """Return all bots, disabled ones too, by name."""
        query = select(*_SHOWN_BOT).order_by(bots.c.folded)
        return tuple(_bot(row) for row in await self._database.read(lambda tx: tx.execute(query).all()))

    async def note_version(
        self, bot: BotId, client: str | None, version: str | None, language: str | None
    ) -> None:
        """Note the program that a bot came with.

        Raises:
            Unknown: there is no such bot.
        """
        at = self._now()
        key = {"bot": bot, "client": client or "", "version": version or "", "language": language or ""}

        def work(tx: Connection) -> None:
            if _get(tx, bots.c.id == bot) is None:
                _unknown(bot)
            same = [bot_versions.c[name] == value for name, value in key.items()]
            if not tx.execute(update(bot_versions).where(*same).values(last_seen=at)).rowcount:
                tx.execute(insert(bot_versions).values(**key, first_seen=at, last_seen=at))

        await self._database.write(work)

    async def versions(self, bot: BotId) -> tuple[BotVersion, ...]:
        """Return the programs that a bot came with, the first one first."""
        table = bot_versions
        query = select(table).where(table.c.bot == bot).order_by(table.c.first_seen, table.c.version)
        rows = await self._database.read(lambda tx: tx.execute(query).all())
        return tuple(
            BotVersion(row.client, row.version, row.language, row.first_seen, row.last_seen) for row in rows
        )


def _key_columns(keys: NameKeys) -> dict[str, str]:
    return {"folded": keys.folded, "looks": keys.looks}


def _is_like(keys: NameKeys) -> ColumnElement[bool]:
    return or_(bots.c.folded == keys.folded, bots.c.looks == keys.looks)


def _refuse_taken(tx: Connection, name: str, keys: NameKeys, own: BotId | None) -> None:
    for row in tx.execute(select(bots.c.id, bots.c.name).where(_is_like(keys))):
        if row.id != own:
            raise NameTaken(name, row.name)


def _get(tx: Connection, condition: ColumnElement[bool]) -> Bot | None:
    row = tx.execute(select(*_SHOWN_BOT).where(condition).limit(1)).first()
    return None if row is None else _bot(row)


def _change(tx: Connection, bot: BotId, values: dict[str, Any]) -> Bot:
    tx.execute(update(bots).where(bots.c.id == bot).values(**values))
    return _get(tx, bots.c.id == bot) or _unknown(bot)


def _unknown(bot: BotId) -> NoReturn:
    raise Unknown("bot", bot)


def _bot(row: AnyRow) -> Bot:
    return Bot(BotId(row.id), row.name, row.owner, row.created_at, row.disabled_at)
