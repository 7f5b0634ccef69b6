#!/usr/bin/env bash
# Compares building tables with baseline/naive.cpp on the same layers.
#
#   benchmarks/compare.sh [--runs N] [--workers W] [--record] [MAXBEANS…]
#
#   MAXBEANS     the layers are 0, 2, 4, … MAXBEANS; default: 14 16 18 20
#   --runs N     runs of each program, of which the median counts; default: 5
#   --workers W  numbers of workers to try, such as "1 2", which is the default
#   --record     keep the raw figures in benchmarks/results/DATE-COMMIT
#
# Ours solves, compresses and writes to disk, from no database to a closed one.
# The baseline solves and writes nothing. The programs take turns. It is an error
# if they differ in the totals of any layer.
#
# It needs Go, g++ and GNU time, and for the baseline up to 12 bytes of memory a
# position. A Markdown table goes to standard output, the rest to standard error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=benchmarks/lib.sh
source benchmarks/lib.sh

runs=5
workers=(1 2)
record=""
layers=()
command="benchmarks/compare.sh $*"
while (($# > 0)); do
  case $1 in
    --runs) runs=${2:?--runs needs a number} && shift ;;
    --workers) read -ra workers <<<"${2:?--workers needs numbers}" && shift ;;
    --record) record=yes ;;
    -h | --help) usage ;;
    *) layers+=("$1") ;;
  esac
  shift
done
((${#layers[@]} > 0)) || layers=(14 16 18 20)
for number in "$runs" "${workers[@]}" "${layers[@]}"; do
  whole "$number"
done
prepare "$record"
need g++ "a C++ compiler"
g++ -O3 -march=native -o "$work/naive" benchmarks/baseline/naive.cpp

# compare_totals BEANS compares our totals of all layers with the baseline's.
compare_totals() {
  local n=0 line
  while IFS= read -r line; do
    stats "$n" | diff - <(cut -f 1-6 <<<"$line") >&2 || fail "layer $n: our totals (<) differ from the baseline's (>)"
    n=$((n + 2))
  done <"$work/naive.out"
  ((n == $1 + 2)) || fail "the baseline printed layers up to $((n - 2)), want $1"
}

raw=$work/compare.tsv
printf 'beans\tpositions\tprogram\tworkers\trun\twall\tuser\tsys\tpeakKiB\tdiskBytes\n' >"$raw"
for beans in "${layers[@]}"; do
  for run in $(seq "$runs"); do
    say "$beans beans, run $run of $runs: baseline"
    measure "$work/naive" bohnenspiel "$beans" even >"$work/naive.out"
    positions=$(awk -F '\t' '{ sum += $2 } END { printf "%d", sum }' "$work/naive.out")
    printf '%s\t%s\tnaive\t1\t%s\t%s\t0\n' "$beans" "$positions" "$run" "$(figures)" >>"$raw"
    for w in "${workers[@]}"; do
      say "$beans beans, run $run of $runs: $w workers"
      rm -rf "$db"
      measure "$work/bohnenspiel" build --beans "$beans" --workers "$w" --db "$db" --quiet >/dev/null
      printf '%s\t%s\tbohnenspiel\t%s\t%s\t%s\t%s\n' "$beans" "$positions" "$w" "$run" "$(figures)" "$(disk)" >>"$raw"
      ((run > 1)) || compare_totals "$beans"
    done
  done
done

# table prints the medians of each program, and how many times as long as ours the
# baseline takes.
table() {
  printf '| beans | positions | program | workers | time, s | positions/s | CPU, s | peak memory, MiB | disk, MB | time, baseline/ours | CPU, baseline/ours |\n'
  printf '|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|\n'
  awk -F '\t' '
    function median(list,    v, n, i, j, x) {
      n = split(list, v, " ")
      for (i = 2; i <= n; i++)
        for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) {
          x = v[j]
          v[j] = v[j - 1]
          v[j - 1] = x
        }
      return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
    }
    function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
    NR > 1 {
      key = $1 " " $3 " " $4
      if (!(key in wall)) keys[++count] = key
      positions[key] = $2
      wall[key] = wall[key] " " $6
      cpu[key] = cpu[key] " " $7 + $8
      peak[key] = peak[key] " " $9
      disk[key] = disk[key] " " $10
    }
    END {
      for (k = 1; k <= count; k++) {
        key = keys[k]
        split(key, name, " ")
        base = name[1] " naive 1"
        seconds = median(wall[key])
        printf "| %d | %d | %s | %d | %.2f | %.0f | %.2f | %.0f | %.2f | %s | %s |\n",
          name[1], positions[key], name[2], name[3], seconds, positions[key] / seconds,
          median(cpu[key]), median(peak[key]) / 1024, median(disk[key]) / 1e6,
          ratio(median(wall[base]), seconds), ratio(median(cpu[base]), median(cpu[key]))
      }
    }' "$raw"
}

table >"$work/compare.md"
cat "$work/compare.md"
if [[ -n $record ]]; then
  keep "$command" "$raw" "$work/compare.md"
fi
