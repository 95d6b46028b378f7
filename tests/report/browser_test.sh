#!/usr/bin/env bash
# browser_test.sh FOLDER REPORT_TESTS PAGES: writes the pages of the sample model and opens them in
# Chromium. FOLDER keeps playwright-core between runs. Exit code 77: cannot be run here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1 writer=$2 pages=$3

skip() {
  echo "skipped: $*"
  exit 77
}

command -v node >/dev/null || skip "there is no node (Debian: nodejs)"
command -v npm >/dev/null || skip "there is no npm (Debian: npm; other builds of nodejs include it)"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "there is no chromium (Debian: chromium)"

mkdir -p "$folder"
if ! cmp -s "$here/package-lock.json" "$folder/installed-lock.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$folder/"
  (cd "$folder" && timeout 60 npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1) ||
    skip "npm cannot get playwright-core; see $folder/npm.log"
  cp "$here/package-lock.json" "$folder/installed-lock.json"
fi
# A module finds packages beside itself, so it runs from the folder that has them.
cp "$here/browser_test.mjs" "$folder/"

"$writer" --gtest_brief=1 --gtest_filter='ReportPage.Writes*'
exec node "$folder/browser_test.mjs" "$chromium" "$pages"/{sample,partial,empty,six,asked,regimes}.html
