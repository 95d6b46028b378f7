#!/usr/bin/env python3
"""What bench costs per run: 10,000 runs of a method that makes one empty epoch.

usage: bench_overhead.py BUILD_FOLDER   (with the tests built: the method is one of their plug-ins)
"""
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

GRID = """title = "Ten thousand"
[data.tri]
task = "triangles"
candidates = 600
filter = { train = 100, valid = 20, test = 40 }
audit = false
[[run]]
methods = ["counting"]
options = { max_epochs = 1 }
vary = { step = [%s] }
"""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    environment = dict(os.environ, BERMUDA_PLUGINS=str(build / "tests/plugins/counting"))
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "grid.toml").write_text(GRID % ",".join(map(str, range(1, 1001))))

        def bench():
            start = time.perf_counter()
            subprocess.run([build / "app/bermuda", "bench", "grid.toml", "--no-report", "--quiet"],
                           cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
            return time.perf_counter() - start

        wall = bench()
        database = sqlite3.connect(pathlib.Path(folder, "grid.sqlite"))
        runs, fits = database.execute(
            "SELECT count(*), sum(seconds) FROM runs WHERE state = 'done'").fetchone()
        database.close()
        assert runs == 10000, runs
        workers = os.cpu_count()
        print(f"{runs} runs in {wall:.1f} s on {workers} workers, of which {fits:.1f} s inside the method")
        print(f"{1000 * wall / runs:.2f} ms per run; {1000 * (wall * workers - fits) / runs:.2f} ms of a core")
        print(f"second start, nothing to do: {bench():.1f} s")


if __name__ == "__main__":
    main()
