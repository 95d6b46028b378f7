#!/bin/sh
# tests/fuzz/run.sh [SECONDS [JOBS [TARGET...]]]: builds the libFuzzer targets (preset fuzz) and runs each that long,
# JOBS of them side by side (1), all of them unless some are named. Prints how many inputs each tried. Exits non-zero
# when one of them finds something; the input that does it is left in the build folder.
set -eu
seconds=${1:-60}
jobs=${2:-1}
[ $# -le 2 ] && shift $# || shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/fuzz
targets=${*:-graph6 native spcl tu jsonl dgcnn graph6_file graphml edge_list pairs archive download model checkpoint sidecar grid export store run_folder execute}

figure() { sed -n "s/^stat::$1: *//p" "$log"; }

fuzz() { # TARGET
  log=$build/fuzz_$1.log
  mkdir -p "$build/corpus/$1" "$build/seeds/$1"
  # Leaks are ours, but for those that the tests set aside, too. A graph of a million nodes is allowed, so memory is
  # capped well above. A machine that has other work to do may need more than ten seconds for a quick input:
  # BERMUDA_FUZZ_TIMEOUT=60.
  export LSAN_OPTIONS="suppressions=$root/tests/leaks.supp:print_suppressions=0"
  if "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -rss_limit_mb=2048 \
    -timeout="${BERMUDA_FUZZ_TIMEOUT:-10}" -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$build/finding-$1-" "$build/corpus/$1" "$build/seeds/$1" >"$log" 2>&1; then
    ended=nothing
  else
    ended="a finding, see $log"
  fi
  echo "fuzz_$1, $seconds s: $(figure number_of_executed_units) inputs, slowest $(figure slowest_unit_time_sec) s, $ended"
  [ "$ended" = nothing ]
}

if [ "${BERMUDA_FUZZ_ONE:-}" ]; then # as xargs starts it
  fuzz "$targets"
  exit
fi
cd "$root"
cmake --preset fuzz >/dev/null
cmake --build "$build" --target fuzzers
python3 tests/fuzz/make_corpus.py tests/data/faults "$build/seeds"
echo "$targets" | tr ' ' '\n' | BERMUDA_FUZZ_ONE=1 xargs -P "$jobs" -n 1 "$root/tests/fuzz/run.sh" "$seconds" 1
