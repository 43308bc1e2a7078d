"""Find a bot by what a user writes: a file, a module, or a reference bot such as `spaceballs:strong`."""

import importlib
import importlib.util
import inspect
import pkgutil
import secrets
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final, TypeGuard

from fangnetz import bots
from fangnetz.bot import Bot
from fangnetz.player import AnyBot
from fangnetz.problems import WrongUse

__all__ = ["ReferenceBot", "load_bot", "reference_bots", "seeded"]

BotClass = type[AnyBot]
_SEEDS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class ReferenceBot:
    """A bot that comes with the SDK."""

    game: str
    strength: str

    @property
    def name(self) -> str:
        """The bot on the command line."""
        return f"{self.game}:{self.strength}"

    @property
    def module(self) -> str:
        """The module that defines it."""
        return f"{bots.__name__}.{self.game}_{self.strength}"


def reference_bots() -> list[ReferenceBot]:
    """Return the bots that come with the SDK, by game and strength."""
    parts = [info.name.partition("_") for info in pkgutil.iter_modules(bots.__path__)]
    found = sorted((game, bots.STRENGTHS.index(last)) for game, _, last in parts if last in bots.STRENGTHS)
    return [ReferenceBot(game, bots.STRENGTHS[rank]) for game, rank in found]


def load_bot(where: str) -> BotClass:
    """Return the bot class that a user names.

    Args:
        where: `GAME:STRENGTH`, `FILE[:CLASS]` or `MODULE[:CLASS]`. Without a class, the file or
            module has to define exactly one bot.

    Raises:
        WrongUse: there is none; the text says why.
    """
    for reference in reference_bots():
        if where == reference.name:
            return _pick(importlib.import_module(reference.module), where, None)
    place, _, name = where.rpartition(":")
    if not place or not name.isidentifier():
        place, name = where, ""
    with_path = place.endswith(".py") or Path(place).is_file()
    module = _load_file(Path(place)) if with_path else _load_module(place)
    return _pick(module, place, name or None)


def seeded(bot: BotClass, seed: int | None, *, if_taken: bool = False) -> Callable[[], AnyBot]:
    """Return a factory of bots that hands out seeds: `seed`, `seed + 1` and so on, one a match.

    Only bots whose constructor has an argument `seed` get one; without a seed the first is drawn,
    so that two bots of a class do not play alike.

    Raises:
        WrongUse: a seed is given, but the bot takes none, and it is not to be given only `if_taken`.
    """
    if "seed" not in inspect.signature(bot).parameters:
        if seed is None or if_taken:
            return bot
        raise WrongUse(f"{bot.__name__} takes no seed: its constructor has no argument of this name")
    return _seeds(bot, secrets.randbelow(_SEEDS) if seed is None else seed).__next__


def _seeds(bot: Callable[..., AnyBot], first: int) -> Iterator[AnyBot]:
    seed = first
    while True:
        yield bot(seed=seed)
        seed += 1


def _pick(module: ModuleType, place: str, name: str | None) -> BotClass:
    """Return the named bot class of a module, or the only public one that it defines."""
    if name is not None:
        chosen = getattr(module, name, None)
        if _is_bot(chosen):
            return chosen
        raise WrongUse(f"{place} has no bot class {name}; it defines {_listed(module)}")
    own = _own_bots(module)
    if len(own) != 1:
        raise WrongUse(f"{place} defines {_listed(module)}; say which: {place}:CLASS")
    return own[0]


def _own_bots(module: ModuleType) -> list[BotClass]:
    return [
        value
        for name, value in vars(module).items()
        if _is_bot(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]


def _is_bot(value: object) -> TypeGuard[BotClass]:
    return inspect.isclass(value) and issubclass(value, Bot)


def _listed(module: ModuleType) -> str:
    return ", ".join(sorted(bot.__name__ for bot in _own_bots(module))) or "no bot class"


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise WrongUse(f"there is no file {path}")
    # The modules beside a bot's file are its own, as if Python had been started with the file.
    sys.path.insert(0, str(path.resolve().parent))
    # A file may be called random.py; under a name of its own it hides no other module.
    spec = importlib.util.spec_from_file_location(f"bot_file_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise WrongUse(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise WrongUse(f"cannot load {path}: {_told(error)}") from error
    return module


def _load_module(name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise WrongUse(_nowhere(name))
    sys.path.insert(0, "")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise WrongUse(_nowhere(name)) from None
        raise WrongUse(f"cannot load {name}: {_told(error)}") from error
    except Exception as error:
        raise WrongUse(f"cannot load {name}: {_told(error)}") from error


def _nowhere(name: str) -> str:
    known = ", ".join(bot.name for bot in reference_bots())
    return f"there is no file or module {name!r}, and no such reference bot ({known})"


def _told(error: Exception) -> str:
    """Return an exception as one line with the place where it was raised."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({error.filename}, line {error.lineno})"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
