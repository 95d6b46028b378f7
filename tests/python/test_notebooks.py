"""The notebooks run whole, say what their text says, and leave their pictures."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"


def run(name, folder):
    done = subprocess.run([sys.executable, NOTEBOOKS / name], cwd=folder, text=True, capture_output=True, timeout=500)
    assert done.returncode == 0, done.stderr
    shown = re.findall(r"!\[\]\((pictures/\w+\.svg)\)", (NOTEBOOKS / name).read_text())
    assert shown
    for picture in shown:  # those that it shows, and the same that stand in the repository
        found, kept = (xml.parse(place / picture).getroot() for place in (folder, NOTEBOOKS))
        assert found.tag == kept.tag == "{http://www.w3.org/2000/svg}svg"
    return done.stdout


@pytest.mark.parametrize("name", sorted(path.name for path in NOTEBOOKS.glob("*.py")))
def test_they_are_cells(name):
    text = (NOTEBOOKS / name).read_text()
    assert text.startswith("# %% [markdown]\n# # ") and "\n# %%\n" in text
    assert "matplotlib" not in text and "IPython" not in text


def test_is_my_data_about_topology(tmp_path):
    said = run("is_my_data_about_topology.py", tmp_path)
    assert "This data set is not about topology: the probe degrees alone solves it" in said
    assert "The probe graphlets-3 solves it (100.0 %" in said
    assert re.search(r"its only triangle in red \[\[\d+, \d+\], \[\d+, \d+\], \[\d+, \d+\]\]", said)
    assert (tmp_path / "pictures" / "triangles.html").is_file()


def test_can_my_gnn_see_a_triangle(tmp_path):
    if importlib.util.find_spec("torch") is None:
        pytest.skip("there is no torch: apt-get install python3-torch")
    said = run("can_my_gnn_see_a_triangle.py", tmp_path)
    assert said.count("recorded: ") == 3 and re.search(r"svm-graphlet +\S.* \*", said)
    assert "No: it is no better than a coin." in said
    assert (tmp_path / "triangles.html").is_file()
    again = run("can_my_gnn_see_a_triangle.py", tmp_path)  # nothing is left to do
    assert "recorded: " not in again and again.splitlines()[-1] == said.splitlines()[-1]
