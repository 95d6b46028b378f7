#!/usr/bin/env bash
# What the program calls when a neural method is named for the first time: LibTorch and the plug-in.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
# shellcheck source=scripts/prepare.sh
. "$root/scripts/prepare.sh"
echo "bermuda: the neural methods are built at their first use" >&2
prepare neural plugins
