"""The docs show the table of roles as the code has it; the matrix itself is walked in test_role_matrix.py."""

from pathlib import Path

from fangnetz_server.gateway.roles import as_markdown

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "roles.md"


def test_the_docs_show_the_table() -> None:
    text = DOCS.read_text(encoding="utf-8")
    shown = text.partition("<!-- table -->\n")[2].partition("<!-- end -->")[0]
    assert shown == as_markdown(), "write as_markdown() into docs/reference/roles.md"
