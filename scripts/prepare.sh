# Sourced by ./bermuda and ./test, with `root` set to the top of the checkout.
# prepare [TARGET]: installs missing Debian packages, configures, builds the release.

fail() {
  echo "bermuda: $*" >&2
  exit 1
}

missing_packages() {
  local wanted installed
  wanted=$(sed 's/#.*//; /^[[:space:]]*$/d' "$root/scripts/packages.txt")
  # shellcheck disable=SC2086 # one word a package is meant
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^ii  *//p')
  comm -23 <(sort <<<"$wanted") <(sort <<<"$installed")
}

install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null || return 0 # not Debian: CMake will say what is lacking
  missing=$(missing_packages | tr '\n' ' ')
  [ -z "${missing// /}" ] && return 0
  echo "bermuda: installing $missing" >&2
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "these Debian packages are missing, and only root can install them: $missing"
    as_root=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  "${as_root[@]}" apt-get install -qq -y --no-install-recommends $missing >&2 2>/dev/null || {
    "${as_root[@]}" apt-get update -qq >&2
    # shellcheck disable=SC2086
    "${as_root[@]}" apt-get install -qq -y --no-install-recommends $missing >&2
  } || fail "could not install: $missing"
}

prepare() {
  local build=$root/build/release log
  install_packages
  mkdir -p "$build"
  log=$build/build.log
  echo "bermuda: building (details in build/release/build.log)" >&2
  (
    flock 9
    cd "$root" &&
      { [ -f "$build/build.ninja" ] || cmake --preset release; } &&
      cmake --build --preset release "$@"
  ) 9>"$build/lock" >"$log" 2>&1 || {
    grep -E -A5 'error|FAILED' "$log" >&2 || tail -20 "$log" >&2
    fail "the build failed"
  }
}
