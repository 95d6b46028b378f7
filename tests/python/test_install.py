"""`pip install .` in a venv, without a network. The build tree is taken as it is: compiling is not tested."""
import os
import pathlib
import subprocess
import sys
import venv

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

SCRIPT = """
import bermuda as bm
assert bm.__file__.startswith({prefix!r}), bm.__file__
data = bm.generate("triangles", count=200, quiet=True)
print(bm.fit("svm-wl", data, max_rounds=1, costs=[1], quiet=True).result["method"])
print("gin+d" in bm.methods(), bm.models.run_json("info", {folder!r})["classes"])
"""


def test_pip_install(tmp_path):
    pytest.importorskip("pip")
    prefix = tmp_path / "venv"
    venv.create(prefix, system_site_packages=True)
    python = prefix / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "BERMUDA_PROGRAM")}

    def run(*words):
        done = subprocess.run([str(word) for word in words], env=environment, cwd=tmp_path, text=True,
                              capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", ROOT)
    (tmp_path / "data.jsonl").write_text('{"id": "a", "class": 0, "nodes": 2, "edges": [[0, 1]]}\n')
    said = run(python, "-c", SCRIPT.format(prefix=str(prefix), folder=str(tmp_path / "data.jsonl")))
    assert said.splitlines()[0] == "svm-wl"
    maps = run(python, "-c", "import bermuda; print(open('/proc/self/maps').read())")
    libraries = {line.split()[-1] for line in maps.splitlines() if "bermuda" in line}
    assert libraries and all(path.startswith(str(prefix)) for path in libraries)
