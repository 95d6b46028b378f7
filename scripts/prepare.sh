# Sourced by ./bermuda, ./test and build_neural.sh, with `root` set to the top of the checkout.
# prepare "FEATURE..." [TARGET...]: installs the Debian packages that are missing, configures and
# builds. Features (neural, mpi, python, tests) that were built once stay; the others are left out until
# somebody asks for them.

build=$root/build/release

fail() {
  echo "bermuda: $*" >&2
  exit 1
}

# One line on the terminal that is written over; elsewhere only what begins and what ends.
show() {
  if [ -t 2 ]; then
    printf '\r\033[Kbermuda: %s' "$1" >&2
  elif [ -n "${2-}" ]; then
    echo "bermuda: $1" >&2
  fi
}
clear_line() { if [ -t 2 ]; then printf '\r\033[K' >&2; fi; }

packages_of() {
  local group
  for group in "$@"; do
    sed -n "/^\[$group\]/,/^\[/{/^[a-z]/p}" "$root/scripts/packages.txt"
  done
}

missing_packages() {
  local wanted installed
  wanted=$(packages_of "$@")
  # shellcheck disable=SC2086 # one word per package is meant
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^ii  *//p')
  comm -23 <(sort <<<"$wanted") <(sort <<<"$installed")
}

# apt-get's own words go to the log; what it says of its progress becomes our line.
run_apt() {
  local log=$build/install.log kind package percent what
  # The redirections are the inner shell's: sudo would close the descriptor.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
    log=$1; shift
    exec apt-get -y -o APT::Status-Fd=3 "$@" 3>&1 >>"$log" 2>&1' sh "$log" "$@" |
    while IFS=: read -r kind package percent what; do
      case $kind in
        dlstatus) show "installing: fetching packages, ${percent%%.*} %" ;;
        pmstatus) show "installing: unpacking and setting up, ${percent%%.*} % ($package)" ;;
      esac
    done
  return "${PIPESTATUS[0]}"
}

install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null || return 0 # not Debian: CMake will say what is lacking
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -z "${missing// /}" ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "these Debian packages are missing, and only root can install them: $missing"
    as_root=(sudo)
  fi
  show "installing $(wc -w <<<"$missing") Debian packages and what they need (details in build/release/install.log)" line
  : >>"$build/install.log"
  # shellcheck disable=SC2086
  run_apt install --no-install-recommends $missing ||
    { run_apt update && run_apt install --no-install-recommends $missing; } || {
    clear_line
    tail -5 "$build/install.log" >&2
    fail "could not install: $missing"
  }
  clear_line
}

is_on() { grep -qs "^BERMUDA_${1^^}:BOOL=ON" "$build/CMakeCache.txt"; }

configure() {
  local feature options=() changed=
  [ -f "$build/build.ninja" ] || changed=yes
  for feature in neural mpi python tests; do
    if [[ " $* " == *" $feature "* ]]; then
      is_on $feature || changed=yes
      # On by default, but left out where its packages were missing.
      [ $feature != python ] || [ -d "$build/python" ] || changed=yes
      options+=("-DBERMUDA_${feature^^}=ON")
    elif ! is_on $feature; then
      options+=("-DBERMUDA_${feature^^}=OFF")
    fi
  done
  [ -z "$changed" ] || cmake --preset release "${options[@]}"
}

build_targets() {
  NINJA_STATUS='%f %t %e ' cmake --build --preset release ${1:+--target} "$@" 2>&1 | tee -a "$build/build.log" |
    while read -r finished total elapsed _; do
      [[ $finished =~ ^[0-9]+$ && $total =~ ^[0-9]+$ && $finished -gt 0 ]] || continue
      # Steps differ in length: an estimate, not a promise.
      show "building: $finished of $total steps, about $(((${elapsed%.*} * (total - finished) / finished + 59) / 60)) min left"
    done
  return "${PIPESTATUS[0]}"
}

prepare() {
  local features=$1
  shift
  mkdir -p "$build"
  exec {lock}>"$build/lock"
  flock "$lock"
  # shellcheck disable=SC2086
  install_packages base $features
  show "building (details in build/release/build.log)" line
  # shellcheck disable=SC2086
  if ! (cd "$root" && configure $features >"$build/build.log" 2>&1 && build_targets "$@"); then
    clear_line
    grep -E -A5 'error|FAILED|CMake Error' "$build/build.log" >&2 || tail -20 "$build/build.log" >&2
    fail "the build failed"
  fi
  clear_line
  exec {lock}>&-
}
