"""Settings: file, environment and flags, what is wrong with them, and the page of the docs."""

from pathlib import Path
from typing import Any

import pytest

from fangnetz_server.config import Config, ConfigError, as_markdown, as_toml, load_config

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


def written(folder: Path, text: str) -> Path:
    file = folder / "fangnetz.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_without_anything_the_defaults_are_in_force() -> None:
    assert load_config(None, {}) == Config()


def test_a_flag_is_stronger_than_the_environment_and_that_than_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, '[server]\nport = 1\nhost = "::1"\nprefix = "/a"\n')
    monkeypatch.setenv("FANGNETZ_SERVER__PORT", "2")
    monkeypatch.setenv("FANGNETZ_SERVER__HOST", "127.0.0.2")
    server = load_config(file, {"server": {"port": 3, "host": None}}).server
    assert (server.port, server.host, server.prefix) == (3, "127.0.0.2", "/a")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[server]\nprot = 5\n", "server.prot: there is no such setting (in [server]: host, port"),
        ("[sever]\nport = 5\n", "sever: there is no such setting (sections: server, access"),
        ("port = 5\n", "port: there is no such setting (sections: server"),
        ('[server]\nport = "many"\n', "server.port: Input should be a valid integer"),
        ("[server]\nport = 70000\n", "server.port: Input should be less than or equal to 65535"),
        ('[server]\ncertificate = "a.pem"\n', "certificate and key go together"),
        ('[play]\npace = "fast"\n', "play.pace: Input should be 'realtime' or 'lockstep'"),
        ("[limits]\nstrikes = -1\n", "limits.strikes: Input should be greater than or equal to 0"),
        ('[store]\nurl = "mysql://x"\n', "store.url: String should match pattern"),
        ("[server\n", "no TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text), {})
    assert complaint in str(caught.value)


def test_an_unknown_variable_of_a_section_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FANGNETZ_LIMITS__STRIKE", "5")
    with pytest.raises(ConfigError, match=r"limits\.strike: there is no such setting"):
        load_config(None, {})


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        load_config(tmp_path / "nowhere.toml", {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[server]\nprefix = "/arena"\ntrusted_proxies = ["10.0.0.0/8"]\n[play]\ngames = ["spaceballs"]\n',
        '[access]\norigins = ["https://example.org"]\nmode = "token"\n[limits]\nhello_s = 2.5\n',
    ],
)
def test_what_is_shown_can_be_read_back(tmp_path: Path, text: str) -> None:
    config = load_config(written(tmp_path, text), {})
    assert load_config(written(tmp_path, as_toml(config)), {}) == config


def test_passwords_are_not_shown(tmp_path: Path) -> None:
    file = written(tmp_path, '[store]\nurl = "postgresql://ada:s3cret@db.example.org/fangnetz"\n')
    shown = as_toml(load_config(file, {}))
    assert "s3cret" not in shown
    assert "postgresql://ada:***@db.example.org/fangnetz" in shown


def test_every_setting_has_a_meaning() -> None:
    def fields(model: Any) -> list[Any]:
        return [
            field
            for section in model.model_fields.values()
            for field in section.annotation.model_fields.values()
        ]

    assert [field for field in fields(Config) if not field.description] == []


def test_the_docs_show_all_settings() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert text.partition("<!-- tables -->\n")[2] == as_markdown(), (
        "write as_markdown() into docs/reference/settings.md"
    )
