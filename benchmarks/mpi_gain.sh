#!/usr/bin/env bash
# How much faster filter and bench get with ranks, one thread each, best of three. Times are of the whole command,
# reading, writing and mpirun's start (half a second) included. What is written must be the same before a time counts.
# Rank 0 of bench hands out and writes, so that two ranks compute as much as one process, three as much as two.
# A gain wants as many free cores as ranks compute: on two cores, filter over three ranks cannot gain more than over
# two. Other work on the machine spoils it.
# Usage: benchmarks/mpi_gain.sh [PROGRAM [CANDIDATES [RUNS [filter|bench]]]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$root/build/release/app/bermuda}
candidates=${2:-400000}
runs=${3:-24}
only=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Containers often run as root; mpirun wants that said.
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$folder"
echo "$(nproc) cores; load $(cut -d ' ' -f 1 /proc/loadavg)"

launcher() { # RANKS: words to start so many; none for one process
  [ "$1" -eq 1 ] || echo "mpirun -np $1 --oversubscribe --bind-to none"
}

time_filter() { # RANKS
  rm -rf "filtered$1"
  $(launcher "$1") "$program" filter candidates --threads 1 --quiet -o "filtered$1" >/dev/null
}

time_bench() { # RANKS
  rm -rf "bench$1.sqlite" "bench$1.work"
  cp -r prepared.work "bench$1.work"
  $(launcher "$1") "$program" bench grid.toml --store "bench$1.sqlite" --no-report --quiet \
    $([ "$1" -ne 1 ] || echo --jobs 1) >/dev/null
}

same_filter() { diff -r filtered1 "filtered$1"; }
same_bench() {
  for number in 1 "$1"; do
    # Everything but times.
    "$program" bench --store "bench$number.sqlite" --export json |
      python3 -c 'import json, sys
runs = json.load(sys.stdin)["runs"]
for run in runs: run.pop("timing", None)
print(json.dumps(sorted(runs, key=json.dumps)))' >"runs$number.json"
  done
  cmp runs1.json "runs$1.json"
}

measure() { # WHAT
  local what=$1 ranks begin end seconds
  declare -A best=([1]=1e9 [2]=1e9 [3]=1e9)
  for run in 1 2 3; do
    for ranks in 1 2 3; do
      sync
      begin=$(date +%s.%N)
      "time_$what" "$ranks"
      end=$(date +%s.%N)
      seconds=$(awk "BEGIN { printf \"%.2f\", $end - $begin }")
      best[$ranks]=$(awk "BEGIN { print ($seconds < ${best[$ranks]}) ? $seconds : ${best[$ranks]} }")
      [ "$ranks" -eq 1 ] || "same_$what" "$ranks"
      echo "$what, run $run, ranks $ranks: $seconds s"
    done
  done
  for ranks in 2 3; do
    awk "BEGIN { printf \"$what: one process %.2f s, $ranks ranks %.2f s = %.2f x\n\", \
      ${best[1]}, ${best[$ranks]}, ${best[1]} / ${best[$ranks]} }"
  done
}

if [ "$only" != bench ]; then
  "$program" generate triangles --count "$candidates" --seed 1 --quiet -o candidates >/dev/null
  measure filter
fi
[ "$only" != filter ] || exit 0

cat >grid.toml <<END
title = "Gain over ranks"
[data.tri]
task = "triangles"
candidates = 40000
filter = { train = 4000, valid = 500, test = 500 }
audit = false
END
for seed in $(seq "$runs"); do
  printf '[[run]]\nmethods = ["svm-wl"]\nname = "seed %s"\nfolds = "0"\nseed = %s\n' "$seed" "$seed" >>grid.toml
done
"$program" bench grid.toml --store prepared.sqlite --no-report --quiet >/dev/null
measure bench
