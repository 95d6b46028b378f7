"""The audit: the figures of the command line."""
import json
import xml.etree.ElementTree as xml

import pytest

import bermuda as bm


def test_a_folder_gives_what_the_command_line_says(tu, program):
    found = bm.audit(tu / "MUTAG", quiet=True)
    assert found.to_dict() == program.json("audit", tu / "MUTAG")
    assert str(found) == program.run("audit", tu / "MUTAG")


def test_networkx_graphs_give_the_same_figures(tu, program):
    mutag = bm.read(tu / "MUTAG")
    found = bm.audit(mutag.to_networkx(), ["-1" if y == 0 else "1" for y in mutag.y], seed=5, folds=5, wl_rounds=2,
                     convert={"node_label": "label", "edge_label": "label", "name": "MUTAG"}, quiet=True)
    assert found.to_dict() == program.json("audit", tu / "MUTAG", "--seed", 5, "--folds", 5, "--wl-rounds", 2)


def test_splits_are_taken_together(small, program, tmp_path):
    small.save(tmp_path / "data")
    assert bm.audit(small, quiet=True, threads=1).to_dict() == program.json("audit", tmp_path / "data")


def test_probes_by_name(small):
    found = bm.audit(small, quiet=True)
    assert found["degree-pairs"].accuracy == found.to_dict()["probes"][2]["accuracy"]
    low, high = found["size"].interval
    assert low <= found["size"].accuracy <= high
    assert [probe.name for probe in found][:3] == ["size", "degrees", "degree-pairs"]
    with pytest.raises(KeyError, match="did you mean degree-pairs"):
        found["degre-pairs"]
    found.to_dict()["probes"].clear()
    assert found.to_dict()["probes"]  # a copy was cleared


def test_pictures_and_files(small, tmp_path):
    found = bm.audit(small, quiet=True)
    picture = xml.fromstring(found.to_svg())
    assert len(picture.findall("{*}rect")) == len(found.probes)
    assert "<svg" in found._repr_html_() and found.summary[:30] in found._repr_html_()
    for ending in ("html", "json", "svg", "txt"):
        found.save(tmp_path / f"audit.{ending}")
    assert json.loads((tmp_path / "audit.json").read_text()) == found.to_dict()
    assert found.summary[:30] in (tmp_path / "audit.html").read_text()
    with pytest.raises(bm.UsageError, match="expected one of"):
        found.save(tmp_path / "audit.doc")


def test_progress_goes_to_standard_error(small, capsys):
    bm.audit(small.test, folds=5)
    said = capsys.readouterr()
    assert "graphlets-5: 5 in " in said.err and said.out == ""
    bm.audit(small.test, folds=5, quiet=True)
    assert capsys.readouterr().err == ""


def test_what_cannot_be_audited(small):
    with pytest.raises(bm.UsageError, match="class"):
        bm.audit(small.to_networkx()[:10], [1] * 10, quiet=True)
    with pytest.raises(bm.UsageError, match="folds"):
        bm.audit(small, folds=1)
    with pytest.raises(bm.UsageError, match="threads"):
        bm.audit(small, threads=0)
