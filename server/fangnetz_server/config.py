"""Everything a host can set: a TOML file, environment variables, flags, in this order of strength.

Environment variables are called FANGNETZ_SECTION__KEY, such as FANGNETZ_SERVER__PORT=8080.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from fangnetz_protocol.words import Pace
from fangnetz_server.gateway.limits import Limits

__all__ = ["Config", "ConfigError", "as_markdown", "as_toml", "load_config"]

_PASSWORD: Final = re.compile(r"(?<=:)[^:@/]+(?=@)")


class ConfigError(Exception):
    """A setting is wrong; the text names its section and key, and what would be right."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ServerSection(_Section):
    """Where the server listens."""

    host: str = "127.0.0.1"
    """Address of the interface."""
    port: Annotated[int, Field(ge=0, le=65535)] = 7474
    """TCP port; 0 takes a free one."""
    prefix: Annotated[str, Field(pattern=r"^(/[^/?#]+)*$")] = ""
    """Path under which a proxy serves it, such as /fangnetz; the proxy keeps the prefix or strips it."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies whose X-Forwarded-For and -Proto are believed; others' are ignored."""
    certificate: Path | None = None
    """TLS certificate chain (PEM); with `key` the server speaks https and wss itself."""
    key: Path | None = None
    """Private key of the certificate (PEM)."""
    shutdown_s: Annotated[float, Field(ge=0, le=3600)] = 20.0
    """Time that running matches have to finish after SIGTERM before they are marked for repetition."""

    @model_validator(mode="after")
    def _both_or_none(self) -> "ServerSection":
        if (self.certificate is None) != (self.key is None):
            raise ValueError("certificate and key go together: set both or neither")
        return self


class AccessSection(_Section):
    """Who may come in."""

    mode: Literal["auto", "open", "token"] = "auto"
    """`open`: bots under names of their own choice. `token`: registered bots only. `auto`: open while the
    server listens on loopback only, else token."""
    origins: tuple[str, ...] = ()
    """Web pages (scheme://host[:port]) besides the server's own that may open WebSockets from a browser."""
    spectators: Literal["all", "none"] = "all"
    """Whether people may watch public matches without a token."""


class StoreSection(_Section):
    """Where results and replays go."""

    folder: Path = Path("fangnetz-data")
    """Data folder: replays, logs of bots, and the database unless `url` names another."""
    url: Annotated[str | None, Field(pattern=r"^postgresql://")] = None
    """PostgreSQL database, as postgresql://user:password@host/name; not set: SQLite in the folder."""


class PlaySection(_Section):
    """What is played."""

    games: tuple[str, ...] = ()
    """Ids of the games; none: all that are installed."""
    pace: Pace = Pace.LOCKSTEP
    """Pace of friendly matches."""
    map: str | None = None
    """Right2Live: name or path of the map of friendly matches; None: any of the shipped ones."""
    friendly: bool = True
    """Whether waiting bots are brought together."""
    bots: tuple[str, ...] = ()
    """Bots that the server keeps as opponents, such as right2live:random."""
    delay_s: Annotated[float, Field(ge=0, le=3600)] = 0.0
    """Time by which spectators see everything later (P3.6)."""
    seat_views: bool = True
    """Whether spectators may ask for one seat's view (P3.6)."""


class TournamentSection(_Section):
    """How tournaments are played."""

    matches: Annotated[int, Field(ge=0, le=10_000)] = 0
    """Matches at the same time; 0: four for each core of the processor."""
    programs: Literal["auto", "any", "reference"] = "auto"
    """What the server may start for a tournament file: `reference`: the bots that come with Fangnetz only;
    `any`: every command line in it. `auto`: any while the server listens on loopback only, else reference."""


class LogSection(_Section):
    """What the server says."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    """The least important messages that are shown."""
    format: Literal["auto", "console", "json"] = "auto"
    """`auto`: for people on a terminal, JSON elsewhere."""


class Config(BaseSettings):
    """All settings of a server."""

    model_config = SettingsConfigDict(
        env_prefix="FANGNETZ_", env_nested_delimiter="__", extra="forbid", frozen=True, validate_default=True
    )

    server: ServerSection = ServerSection()
    access: AccessSection = AccessSection()
    store: StoreSection = StoreSection()
    play: PlaySection = PlaySection()
    tournament: TournamentSection = TournamentSection()
    log: LogSection = LogSection()
    limits: Limits = Limits()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)  # `load_config` has merged all sources already, key by key.


def load_config(file: Path | None, flags: Mapping[str, Mapping[str, Any]]) -> Config:
    """Return the settings in force.

    Args:
        file: a TOML file; None: there is none.
        flags: what the command line says, by section and key; None as a value means not given.

    Raises:
        ConfigError: the file cannot be read, or a key is unknown or a value wrong.
    """
    given = _merged({} if file is None else _read(file), _environment(), _without_none(flags))
    try:
        return Config(**given)
    except ValidationError as error:
        raise ConfigError("; ".join(_faults(error))) from error


def as_toml(config: Config) -> str:
    """Return the settings as a TOML file, passwords left out."""
    lines: list[str] = []
    for section, values in config.model_dump(mode="json").items():
        lines.append(f"[{section}]")
        for key, value in values.items():
            lines.append(f"# {key}: not set" if value is None else f"{key} = {_toml(value)}")
        lines.append("")
    return "\n".join(lines)


def as_markdown() -> str:
    """Return all settings with their defaults and meanings as a page of the docs."""
    parts = []
    for name, section in Config.model_fields.items():
        model = _section(name)
        parts.append(f"## [{name}]\n\n{(model.__doc__ or '').strip()}\n")
        rows = ["| key | default | meaning |", "|---|---|---|"]
        for key, field in model.model_fields.items():
            default = getattr(section.default, key)
            shown = "not set" if default is None else f"`{_toml(_plain(default))}`"
            rows.append(f"| `{key}` | {shown} | {' '.join((field.description or '').split())} |")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _environment() -> dict[str, Any]:
    """Return what environment variables say, so that flags can be stronger key by key."""
    try:
        return {section: values for section, values in EnvSettingsSource(Config)().items() if values}
    except ValueError as error:
        raise ConfigError(f"environment: {error}") from error


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: no TOML ({error})") from error


def _merged(*sources: Mapping[str, Any]) -> dict[str, Any]:
    """Merge by section; a later source is stronger."""
    result: dict[str, Any] = {}
    for source in sources:
        for section, values in source.items():
            if isinstance(values, Mapping) and isinstance(result.get(section), Mapping):
                result[section] = {**result[section], **values}
            else:
                result[section] = values
    return result


def _without_none(flags: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        section: given
        for section, values in flags.items()
        if (given := {key: value for key, value in values.items() if value is not None})
    }


def _faults(error: ValidationError) -> Iterator[str]:
    for fault in error.errors(include_url=False):
        where = ".".join(str(part) for part in fault["loc"]) or "settings"
        if fault["type"] == "extra_forbidden":
            yield f"{where}: there is no such setting ({_known(fault['loc'])})"
        else:
            yield f"{where}: {fault['msg']}"


def _known(place: tuple[int | str, ...]) -> str:
    if place[0] not in Config.model_fields or len(place) == 1:
        return "sections: " + ", ".join(Config.model_fields)
    return f"in [{place[0]}]: " + ", ".join(_section(str(place[0])).model_fields)


def _section(name: str) -> type[BaseModel]:
    model = Config.model_fields[name].annotation
    assert isinstance(model, type), "every section is a model"
    assert issubclass(model, BaseModel), "every section is a model"
    return model


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(_PASSWORD.sub("***", value) if "://" in value else value)
    return json.dumps(value)
