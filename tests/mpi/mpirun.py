"""Runs programs under mpirun for the tests."""
import os
import subprocess

RANKS = 3
# Root, and more ranks than cores, are usual in containers; no other machine is asked for. Where there
# is no /sys, MPI's hwloc would say so on standard error. What Open MPI does not give back comes from libraries
# that it has unloaded by then: LeakSanitizer cannot tell it from ours.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_plm": "isolated",
               "HWLOC_HIDE_ERRORS": "2", "ASAN_OPTIONS": "detect_leaks=0"}


def mpirun(*command, ranks=RANKS, timeout=120, **options):
    options.setdefault("env", ENVIRONMENT)
    return subprocess.run(["mpirun", "-np", str(ranks), "--oversubscribe", *map(str, command)],
                          text=True, capture_output=True, timeout=timeout, **options)
