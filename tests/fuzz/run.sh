#!/bin/sh
# tests/fuzz/run.sh [SECONDS]: builds the libFuzzer targets (preset fuzz) and runs each that long.
# Exits non-zero when one of them finds something; the input that does it is left in the build folder.
set -eu
seconds=${1:-60}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/fuzz
cd "$root"
cmake --preset fuzz >/dev/null
cmake --build "$build" --target fuzzers
python3 tests/fuzz/make_corpus.py tests/data/faults "$build/seeds"

failed=0
for parser in graph6 native spcl tu jsonl dgcnn archive model checkpoint sidecar grid export store \
  run_folder execute; do
  mkdir -p "$build/corpus/$parser" "$build/seeds/$parser"
  echo "fuzz_$parser: $seconds s"
  # Leaks at exit would be ours; a graph of a million nodes is allowed, so memory is capped well above.
  "$build/tests/fuzz/fuzz_$parser" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 \
    -max_len=8192 -print_final_stats=1 -artifact_prefix="$build/finding-$parser-" \
    "$build/corpus/$parser" "$build/seeds/$parser" >"$build/fuzz_$parser.log" 2>&1 || {
    failed=1
    echo "fuzz_$parser: finding, see $build/fuzz_$parser.log" >&2
  }
  grep -E 'stat::number_of_executed_units' "$build/fuzz_$parser.log" || true
done
exit $failed
