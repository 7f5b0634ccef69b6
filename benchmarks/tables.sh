#!/usr/bin/env bash
# Builds large tables once and records what that took.
#
#   benchmarks/tables.sh [--db DIR] [--memory SIZE] [--sample K]
#                        [--check-memory SIZE] [--record] BEANS
#
#   BEANS          builds the even layers up to it that DIR does not have yet
#   --db DIR       the database; default: a temporary one
#   --memory SIZE  the memory that build may take; default: most of what the machine has
#   --sample K     positions of each layer to check afterwards; default: 1000000
#   --check-memory SIZE  the memory that check may take; layers that do not fit
#                  are kept in files meanwhile
#   --record       keep the raw figures in benchmarks/results/DATE-COMMIT
#
# It needs Go and GNU time. A Markdown table of all layers goes to standard output,
# the rest to standard error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=benchmarks/lib.sh
source benchmarks/lib.sh

command="benchmarks/tables.sh $*"
directory=""
memory=()
checkMemory=()
sample=1000000
record=""
beans=""
while (($# > 0)); do
  case $1 in
    --db) directory=${2:?--db needs a directory} && shift ;;
    --memory) memory=(--memory "${2:?--memory needs a size}") && shift ;;
    --check-memory) checkMemory=(--memory "${2:?--check-memory needs a size}") && shift ;;
    --sample) sample=${2:?--sample needs a number} && shift ;;
    --record) record=yes ;;
    -h | --help) usage ;;
    *) beans=$1 ;;
  esac
  shift
done
[[ -n $beans ]] || fail "how many beans? See --help"
whole "$beans"
whole "$sample"
prepare "$record"
db=${directory:-$db}
name=tables-$beans

say "building"
measure "$work/bohnenspiel" build --beans "$beans" --db "$db" "${memory[@]}" >"$work/$name-build.txt" 2> >(tee "$work/$name-build.log" >&2)
{
  printf 'wall s\tuser s\tsystem s\tpeak KiB\tdisk bytes\n'
  printf '%s\t%s\n' "$(figures)" "$(disk)"
} >"$work/$name-whole.tsv"
say "checking $sample positions a layer"
"$work/bohnenspiel" check --sample "$sample" --db "$db" "${checkMemory[@]}" --quiet | tee "$work/$name-check.txt" >&2
for n in $(seq 0 2 "$beans"); do
  "$work/bohnenspiel" stats --beans "$n" --json --db "$db"
done >"$work/$name-layers.jsonl"

# The table: a row a layer, from the JSON objects.
printf '| beans | positions | wins | draws | losses | sum of scores | lean on rule 8 | bytes | bits a position | SHA-256 |\n'
printf '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n'
sed -E 's/[{}"]//g; s/[a-zA-Z0-9]+://g' "$work/$name-layers.jsonl" | awk -F , '
  function thousands(n,    s, i) {
    s = sprintf("%.0f", n < 0 ? -n : n)
    for (i = length(s) - 3; i > 0; i -= 3) s = substr(s, 1, i) "," substr(s, i + 1)
    return (n < 0 ? "−" : "") s
  }
  {
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %.2f | `%s` |\n", $3, thousands($4), thousands($5),
      thousands($6), thousands($7), thousands($8), thousands($9), thousands($11), $11 * 8 / $4, $10
  }'
if [[ -n $record ]]; then
  keep "$command" "$work/$name"-*
fi
