#!/usr/bin/env bash
# Prints the README's table of sizes: what each even layer takes.
#
#   benchmarks/sizes.sh [--workers N] [--record] [MAXBEANS]
#
#   MAXBEANS     the last layer; default: 20
#   --workers N  default: one a processor
#   --record     keep the figures in benchmarks/results/DATE-COMMIT
#
# Each layer is built by a run of its own, on top of those below it, so that time
# and peak memory are those of that layer alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=benchmarks/lib.sh
source benchmarks/lib.sh

most=20
workers=0
record=""
command="benchmarks/sizes.sh $*"
while (($# > 0)); do
  case $1 in
    --workers) workers=${2:?--workers needs a number} && shift ;;
    --record) record=yes ;;
    -h | --help) usage ;;
    *) most=$1 ;;
  esac
  shift
done
whole "$most"
whole "$workers"
prepare "$record"

table() {
  printf '| beans | positions | bytes on disk | bits a position | time, s | CPU, s | million positions/s | peak memory, MiB |\n'
  printf '|---:|---:|---:|---:|---:|---:|---:|---:|\n'
  local beans positions bytes
  for beans in $(seq 0 2 "$most"); do
    say "$beans beans"
    measure "$work/bohnenspiel" build --beans "$beans" --workers "$workers" --db "$db" --quiet >/dev/null
    positions=$(stats "$beans" | cut -f 2)
    bytes=$("$work/bohnenspiel" stats --beans "$beans" --json --db "$db" | sed -E 's/.*"bytes":([0-9]+).*/\1/')
    awk -F '\t' -v beans="$beans" -v positions="$positions" -v bytes="$bytes" '
      function commas(n,    text) {
        for (text = sprintf("%d", n); match(text, /[0-9][0-9][0-9][0-9]+/);)
          text = substr(text, 1, RSTART + RLENGTH - 4) "," substr(text, RSTART + RLENGTH - 3)
        return text
      }
      {
        printf "| %d | %s | %s | %.2f | %.2f | %.2f | %.2f | %.0f |\n", beans, commas(positions), commas(bytes),
          8 * bytes / positions, $1, $2 + $3, positions / $1 / 1e6, $4 / 1024
      }' "$work/figures"
  done
}

table >"$work/sizes.md"
cat "$work/sizes.md"
if [[ -n $record ]]; then
  keep "$command" "$work/sizes.md"
fi
