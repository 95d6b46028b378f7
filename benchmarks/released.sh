#!/usr/bin/env bash
# Models of our data asked about the released test splits, and tf+am learning from many unfiltered candidates
# (docs/transformer.md). RELEASED is the folder with the released splits; 15 to 40 minutes on one core. Data and models stay
# in MODELS, if that is named, and what is there already is not made again.
#   benchmarks/released.sh RELEASED [BERMUDA [MODELS]] > docs/results/released.txt
set -euo pipefail
released=$1
bermuda=${2:-./bermuda}
if [ $# -gt 2 ]; then
    work=$3
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

train() {  # method, data, run folder, further words
    [ -f "$3/run.json" ] || "$bermuda" train "$1" "$2" -o "$3" "${@:4}" --quiet > /dev/null
}

declare -A theirs=([triangles]=$released/triangles [clique-distance]=$released/clique)

ask() {  # run folder, data, further words
    local data=${2#"$work"/}
    echo "\$ bermuda predict ${1##*/} ${data/#"$released"/RELEASED}" "${@:3}"
    "$bermuda" predict "$1" "$2" "${@:3}" --threads 1
}

for task in triangles clique-distance; do
    [ -d "$work/$task" ] || "$bermuda" dataset "$task" -o "$work/$task" --seed 1 --quiet > /dev/null
done
for method in tf+am4 tf+am3 tf+am gat+d; do
    for task in triangles clique-distance; do
        run=$work/$method-$task
        train "$method" "$work/$task" "$run" --fold 0
        ask "$run" "$work/$task" --split test
        ask "$run" "${theirs[$task]}"
        if [ "$method" != gat+d ]; then  # with one draw of indices, as the paper has it, instead of the mean of five
            ask "$run" "$work/$task" --split test --eval-shuffles 1
            ask "$run" "${theirs[$task]}" --eval-shuffles 1
        fi
    done
done

[ -d "$work/more" ] ||
    "$bermuda" generate clique-distance --count 120000 --seed 77 --without "$work/clique-distance" -o "$work/more" --quiet > /dev/null
train tf+am "$work/more" "$work/tf+am-more" --epochs 16
ask "$work/tf+am-more" "$work/clique-distance" --split test
ask "$work/tf+am-more" "${theirs[clique-distance]}"
