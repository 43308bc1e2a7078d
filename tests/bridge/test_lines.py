"""Bytes to lines, however they come."""

import pytest

from fangnetz.bridge.lines import MAX_LINE, LineReader


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        pytest.param(b"a\nb\n", [(1, b"a"), (2, b"b")], id="plain"),
        pytest.param(b"a\r\nb\r\n", [(1, b"a"), (2, b"b")], id="crlf"),
        pytest.param(b"\xef\xbb\xbfa\nb\n", [(1, b"a"), (2, b"b")], id="bom"),
        pytest.param(b"a\nb", [(1, b"a"), (2, b"b")], id="no final newline"),
        pytest.param(b"a\n\n  \r\n\nb\n", [(1, b"a"), (5, b"b")], id="blank lines count, but say nothing"),
        pytest.param(b" a b \t\n", [(1, b"a b")], id="blanks around"),
        pytest.param(b"\x00a\x00\n", [(1, b"a")], id="zeros around"),
        pytest.param(b"", [], id="nothing"),
        pytest.param(b"\xff\xfe\x80\n", [(1, b"\xff\xfe\x80")], id="rubbish is a line, too"),
        pytest.param("ö\u2028ü\x85\n".encode(), [(1, "ö\u2028ü\x85".encode())], id="only newlines end lines"),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_a_stream(stream: bytes, lines: list[tuple[int, bytes]], size: int) -> None:
    reader = LineReader()
    parts = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert [line for part in parts for line in reader.feed(part)] + reader.finish() == lines


def test_an_endless_line_takes_no_memory_and_the_next_one_counts() -> None:
    reader = LineReader(limit=10)
    for _ in range(1000):
        assert reader.feed(b"x" * 100) == []
    assert reader.feed(b"x\nnext\n") == [(1, b"x" * 11), (2, b"next")]


def test_a_line_of_200_kb_is_cut_where_no_server_would_take_it() -> None:
    (line,) = LineReader().feed(b"y" * 200_000 + b"\n")
    assert line == (1, b"y" * (MAX_LINE + 1))
