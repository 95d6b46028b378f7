#!/usr/bin/env bash
# Builds the Debian packages into build/packages.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
# shellcheck source=scripts/prepare.sh
. "$root/scripts/prepare.sh"
prepare "neural mpi python packages" bermuda plugins python debian_changelog
mkdir -p "$root/build/packages"
cd "$root/build/packages"
cpack --config "$build/CPackConfig.cmake" >"$build/package.log" || { tail -20 "$build/package.log" >&2; fail "cpack failed"; }
ls -- *.deb
