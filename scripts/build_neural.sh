#!/usr/bin/env bash
# What the program calls with the path of a plug-in that is missing: installs LibTorch and builds the
# neural methods, when it is theirs.
set -euo pipefail
[ "$(basename "${1-}")" = bermuda_neural.so ] || exit 0 # not one of ours
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
# shellcheck source=scripts/prepare.sh
. "$root/scripts/prepare.sh"
echo "bermuda: the neural methods are built at their first use" >&2
prepare neural plugins
