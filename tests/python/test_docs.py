"""The tutorial runs, block after block, as one script."""
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_tutorial_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S))
    assert len(blocks) >= 6
    names: dict[str, object] = {}
    for block in blocks:
        line = PAGE.read_text()[:block.start(1)].count("\n")
        exec(compile("\n" * line + block.group(1), str(PAGE), "exec"), names)
    assert "Audit of graphs: 120 graphs" in capsys.readouterr().out
    assert (tmp_path / "triangles" / "manifest.json").is_file()
