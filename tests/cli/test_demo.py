"""`fangnetz demo`: both games with the reference bots, to the end."""

from pathlib import Path

from support.command import fangnetz, said


def test_the_demo_plays_both_games_and_shows_the_tables(tmp_path: Path) -> None:
    done = fangnetz("demo", cwd=tmp_path)
    text = done.stdout.decode()
    assert (done.returncode, said(done)) == (0, b"")
    assert all(name in text for name in ("Ada", "Bert", "Cleo", "Dora", "Emil", "Frida", "Gabi"))
    assert "has ended" not in text, "no bot died"
    replays = sorted((tmp_path / "fangnetz-demo" / "replays").rglob("*.ndjson.zst"))
    assert len(replays) == 9
    proof = fangnetz("replay", "verify", *replays, cwd=tmp_path)
    assert proof.returncode == 0
    assert proof.stdout.count(b"verified") == 9
    assert proof.stdout.count(b"aborted") == proof.stdout.count(b"infra_error") == 0
