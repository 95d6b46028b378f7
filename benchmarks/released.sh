#!/usr/bin/env bash
# Models of our data asked about the released test splits, and tf+am learning from many unfiltered candidates
# (docs/transformer.md). RELEASED is the folder with the released splits; 40 minutes on one core.
#   benchmarks/released.sh RELEASED [BERMUDA] > docs/results/released.txt
set -euo pipefail
released=$1
bermuda=${2:-./bermuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

declare -A theirs=([triangles]=$released/triangles [clique-distance]=$released/clique)

ask() {  # run folder, data, further words
    local data=${2#"$work"/}
    echo "\$ bermuda predict ${1##*/} ${data/#"$released"/RELEASED}" "${@:3}"
    "$bermuda" predict "$1" "$2" "${@:3}" --threads 1
}

for task in triangles clique-distance; do
    "$bermuda" dataset "$task" -o "$work/$task" --seed 1 --quiet > /dev/null
done
for method in tf+am4 tf+am3 tf+am gat+d; do
    for task in triangles clique-distance; do
        run=$work/$method-$task
        "$bermuda" train "$method" "$work/$task" -o "$run" --fold 0 --quiet > /dev/null
        ask "$run" "$work/$task" --split test
        ask "$run" "${theirs[$task]}"
    done
done

"$bermuda" generate clique-distance --count 120000 --seed 77 --without "$work/clique-distance" -o "$work/more" --quiet > /dev/null
"$bermuda" train tf+am "$work/more" -o "$work/tf+am-more" --epochs 16 --quiet > /dev/null
ask "$work/tf+am-more" "$work/clique-distance" --split test
ask "$work/tf+am-more" "${theirs[clique-distance]}"
