#!/usr/bin/env bash
# What the first uses cost, from an empty Debian root with nothing but git's checkout of HEAD:
# benchmarks/first_use.sh FOLDER [DATA]. FOLDER is made by debootstrap and left; DATA is the folder of
# the released splits and TU data sets, for the tests that want it. As root, on an idle machine.
# Prints CPU and wall time of the first audit (no LibTorch on the machine), of the first neural
# method, of bench quick itself and of ./test, each on top of those before.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
data=${2-}

[ -e "$folder" ] && { echo "$folder exists" >&2; exit 2; }
debootstrap --variant=minbase bookworm "$folder" >"$folder.debootstrap.log"
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
mkdir -p "$folder/shared/data" "$folder/measured"
git clone -q "$source" "$folder/src"
"$source/bermuda" generate triangles -o "$folder/measured/graphs" --count 1000 --quiet >/dev/null

cat >"$folder/measure" <<'END'
TIMEFORMAT='%U %S %R'
measure() { # NAME COMMAND...
  local name=$1 used
  shift
  used=$({ time "$@" >"/measured/$name.out" 2>"/measured/$name.err"; } 2>&1) || {
    tail -20 "/measured/$name.out" "/measured/$name.err"
    echo "$name failed"
    exit 1
  }
  awk -v name="$name" '{ printf "%-14s %5.1f CPU minutes, %5.1f minutes of wall time\n", name, ($1 + $2) / 60, $3 / 60 }' <<<"$used"
}
cd /measured
echo "packages of LibTorch before: $(dpkg -l | grep -c torch)"
measure audit /src/bermuda audit graphs
echo "packages of LibTorch after: $(dpkg -l | grep -c torch)"
measure neural /src/bermuda methods gin
measure quick /src/bermuda bench quick
measure test /src/test
grep "tests passed" test.out
END

unshare -m bash -c '
  mount -t proc proc "$1/proc"
  mount -t sysfs sysfs "$1/sys" 2>/dev/null || true
  mount --rbind /dev "$1/dev"
  if [ -n "$2" ]; then mount --bind "$2" "$1/shared/data"; fi
  exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin bash /measure' \
  first_use "$folder" "$data"
