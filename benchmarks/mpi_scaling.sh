#!/usr/bin/env bash
# How much faster two ranks generate than one process, one thread each, best of three. Times are of
# the whole command, writing included, and of two ranks with mpirun's start (some tenths of a second,
# hence the large count). The files must be the same before a time counts.
# Usage: benchmarks/mpi_scaling.sh [PROGRAM [COUNT [TASK]]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$root/build/release/app/bermuda}
count=${2:-4000000}
task=${3:-triangles}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Containers often run as root; mpirun wants that said.
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

seconds() { # OUTPUT LAUNCHER...: time of one run
  local output=$folder/$1 begin end
  shift
  rm -rf "$output"
  sync
  begin=$(date +%s.%N)
  "$@" "$program" generate "$task" --count "$count" --threads 1 --quiet -o "$output" >/dev/null
  end=$(date +%s.%N)
  awk "BEGIN { printf \"%.2f\", $end - $begin }"
}

best_one=1e9
best_two=1e9
for run in 1 2 3; do
  one=$(seconds one env)
  two=$(seconds two mpirun -np 2)
  diff -r "$folder/one" "$folder/two"
  echo "run $run: one process $one s, two ranks $two s"
  best_one=$(awk "BEGIN { print ($one < $best_one) ? $one : $best_one }")
  best_two=$(awk "BEGIN { print ($two < $best_two) ? $two : $best_two }")
done
awk "BEGIN { printf \"$task, $count graphs: %.2f s / %.2f s = %.2f x\n\", $best_one, $best_two, $best_one / $best_two }"
