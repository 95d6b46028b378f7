#!/bin/sh
# tests/portability.sh [FOLDER]: builds the program with GCC and clang, without and with optimisation
# (below FOLDER, build/portability unless told), and compares the filtered data sets that each makes
# with the pinned checksums. Some minutes; not a part of ./test, which does it for the release.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build/portability}
failed=0
mkdir -p "$folder"
for compiler in g++ clang++; do
  for level in 0 3; do
    build=$folder/$compiler-O$level
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=$compiler -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_CXX_FLAGS_RELEASE="-O$level" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
      -DBERMUDA_NEURAL=OFF -DBERMUDA_MPI=OFF -DBERMUDA_TESTS=OFF >"$folder/log" 2>&1 &&
      cmake --build "$build" --target bermuda >>"$folder/log" 2>&1 || { tail "$folder/log" >&2; exit 1; }
    echo "$compiler -O$level"
    for task in triangles clique-distance; do
      "$build/app/bermuda" dataset $task --seed 1 -o "$build/$task" --force --quiet >/dev/null
      python3 -B "$root/tests/app/pinned.py" $task "$build/$task" || failed=1
    done
  done
done
exit $failed
