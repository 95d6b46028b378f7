"""Machines for the tests that are network namespaces: each with an address, a host name and a working
directory of its own, all at one switch, reached by an agent instead of ssh."""
import os
import pathlib
import shlex
import signal
import subprocess
import sys

NET = "10.77.0.0/24"

# Everything (the namespaces, their network, all processes) lives in namespaces around the test itself, and
# ends with it, even when it is killed: no names can collide, and nothing is left to clean up.
ENCLOSURE = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
INSIDE = "BERMUDA_TEST_INSIDE"

AGENT = """#!/bin/sh
# What ssh would do: HOST COMMAND...
host=$1
shift
cd {folder}/"$host" || exit 1
exec ip netns exec "$host" unshare --uts sh -c '
  hostname "$1" && shift && export TMPDIR="$PWD" && eval "$*"' sh "$host" "$@"
"""
# A machine that refuses is there.
REACH = """
import socket, sys, time
while True:
    try:
        socket.create_connection((sys.argv[1], 9), timeout=1)
    except ConnectionRefusedError:
        break
    except OSError:
        time.sleep(0.05)
"""


class Refused(Exception):
    """Namespaces are not allowed here; says why."""


def address(number):
    return f"10.77.0.{10 + number}"


def enter():
    """Starts this program anew inside namespaces; returns inside, or raises Refused."""
    if INSIDE in os.environ:
        return
    # An ordinary user is root in a user namespace, where the system has such.
    words = [*ENCLOSURE, *([] if os.geteuid() == 0 else ["--map-root-user"])]
    try:
        tried = subprocess.run([*words, "sh", "-c", "ip link add name switch type bridge"],
                               capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        raise Refused("there is no unshare") from None
    if tried.returncode != 0:
        raise Refused(tried.stderr.strip() or f"unshare ended with code {tried.returncode}")
    os.environ[INSIDE] = "1"
    os.execvp(words[0], [*words, sys.executable, "-B", *sys.argv])


def ip(*words):
    done = subprocess.run(["ip", *map(str, words)], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise Refused(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")


def make_switch():
    """Once, before the machines."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], capture_output=True, text=True)
    if mounted.returncode != 0:
        raise Refused(mounted.stderr.strip())
    ip("link", "set", "lo", "up")
    ip("link", "add", "name", "switch", "type", "bridge")
    ip("link", "set", "switch", "up")


class Machines:
    def __init__(self, folder, count):
        self.names = [f"machine{number}" for number in range(count)]
        self.agent = folder / "agent"
        self.agent.write_text(AGENT.format(folder=shlex.quote(str(folder))))
        self.agent.chmod(0o755)
        for number, name in enumerate(self.names):
            (folder / name).mkdir()
            ip("netns", "add", name)
            ip("link", "add", f"port{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", f"port{number}", "master", "switch", "up")
            ip("-n", name, "addr", "add", address(number) + "/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
        self.folders = [folder / name for name in self.names]

    def remove(self):
        for number, name in enumerate(self.names):
            subprocess.run(["ip", "link", "del", f"port{number}"], capture_output=True)
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def plug(self, number):
        """Returns when the others are in reach, which takes a moment."""
        ip("link", "set", f"port{number}", "up")
        for other in range(len(self.names)):
            if other != number:
                subprocess.run(["ip", "netns", "exec", self.names[number], sys.executable, "-c", REACH,
                                address(other)], check=True, timeout=60)

    def unplug(self, number):
        ip("link", "set", f"port{number}", "down")

    def mpirun(self, command, options=()):
        """The words that run the command on all machines, each in its own folder, from the first."""
        words = ["mpirun", "--mca", "plm_rsh_agent", self.agent, "--mca", "oob_tcp_if_include", NET,
                 "--mca", "btl_tcp_if_include", NET, *options]
        for number, name in enumerate(self.names):
            words += [":"] if number > 0 else []
            words += ["-np", 1, "--host", name, "-wdir", self.folders[number], *command]
        return [str(self.agent), self.names[0], "exec " + shlex.join(map(str, words))]


def end_all():
    """Whatever the test has started: the process namespace holds nothing else."""
    if os.getpid() != 1:
        raise Refused("not inside")
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != "1":
            try:
                os.kill(int(entry.name), signal.SIGKILL)
            except ProcessLookupError:
                pass


def processes(program):
    """Those of this test that run the program, by process id: what mpirun told them."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if os.readlink(entry / "exe") == os.path.realpath(program):
                told = (entry / "environ").read_bytes().decode(errors="replace").split("\0")
                found[int(entry.name)] = dict(pair.split("=", 1) for pair in told if "=" in pair)
        except OSError:
            continue  # it has just ended
    return found
