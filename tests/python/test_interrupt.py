"""Ctrl-C: KeyboardInterrupt, soon, and the interpreter goes on."""
import signal
import subprocess
import sys
import threading
import time

import pytest

import bermuda as bm

SCRIPT = """
import sys, time
import bermuda as bm
{before}
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", len(bm.generate("triangles", count=10, quiet=True)), flush=True)
"""


@pytest.mark.parametrize("before, work", [
    ("", "bm.make('triangles', candidates=100_000_000)"),
    ("data = bm.generate('triangles', count=200_000, quiet=True)", "bm.audit(data)"),
])
def test_a_signal_stops_the_work(before, work):
    script = SCRIPT.format(before=before, work=work)
    with subprocess.Popen([sys.executable, "-c", script], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(2)
        assert child.poll() is None, "ended by itself"
        child.send_signal(signal.SIGINT)
        asked = time.monotonic()
        said, errors = child.communicate(timeout=60)
    assert said == "interrupted 10\n", errors
    assert time.monotonic() - asked < 10
    assert child.returncode == 0


def test_other_threads_go_on_meanwhile():
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    bm.generate("triangles", count=200_000, quiet=True)
    ended = time.monotonic()
    done.set()
    thread.join()
    inside = [moment for moment in counted if began < moment < ended]
    assert len(inside) > (ended - began) / 0.005 / 10
