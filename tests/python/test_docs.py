"""The tutorial and the page on each part run, block after block, each page as one script."""
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / "python.md", *sorted((DOCS / "python").glob("*.md"))]


def blocks_of(page):
    text = page.read_text()
    return [(text[:block.start(1)].count("\n"), block.group(1))
            for block in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(page)
    assert blocks
    names: dict[str, object] = {}
    for line, block in blocks:
        exec(compile("\n" * line + block, str(page), "exec"), names)
    said = capsys.readouterr().out
    if page.stem == "python":
        assert len(blocks) >= 3 and "Audit of graphs: 120 graphs" in said
        assert (tmp_path / "triangles" / "manifest.json").is_file()


def test_every_page_is_in_the_tutorial():
    text = (DOCS / "python.md").read_text()
    for page in PAGES[1:]:
        assert f"(python/{page.name})" in text


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
