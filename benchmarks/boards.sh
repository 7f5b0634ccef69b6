#!/usr/bin/env bash
# Solves the opening positions of small boards: all boards 2×w with b beans a pit.
#
#   benchmarks/boards.sh [--db DIR] [--rules NAME] [--width W] [--pits B]
#                        [--beans N] [--twice N] [--time T] [--memory SIZE] [--record]
#
#   --db DIR       databases in DIR/RULES-W; default: temporary ones
#   --rules NAME   bohnenspiel or mangala alone; default: both
#   --width W      boards of this width alone; default: 1 to 6
#   --pits B       openings with so many beans a pit alone; default: 1 to 6
#   --beans N      tables of up to N beans on boards of widths 5 and 6; default: 20
#   --twice N      on boards of widths 1 to 4, tables of up to N beans; default: 48,
#                  which is all; less saves time
#   --time T       give up a search after T; default: 5m
#   --memory SIZE  what one command may take; default: 2GiB
#   --record       keep the raw figures in benchmarks/results/DATE-COMMIT, in a file
#                  that is named after widths and beans a pit
#
# W and B may be lists, such as "1 2 3". On boards of widths 1 to 4 each opening is solved twice: by tables that have it, and
# by a search above tables of few beans, which have to agree. Every search writes a
# certificate, which is checked. Where time was over before all moves were decided, an
# ellipsis stands after the best ones that are known. A Markdown table goes to standard output, the rest to
# standard error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=benchmarks/lib.sh
source benchmarks/lib.sh

command="benchmarks/boards.sh $*"
directory=""
allRules="bohnenspiel mangala"
widths="1 2 3 4 5 6"
pits="1 2 3 4 5 6"
beans=20
twice=48
time=5m
memory=2GiB
record=""
while (($# > 0)); do
  case $1 in
    --db) directory=${2:?--db needs a directory} && shift ;;
    --rules) allRules=${2:?--rules needs a name} && shift ;;
    --width) widths=${2:?--width needs a number} && shift ;;
    --pits) pits=${2:?--pits needs a number} && shift ;;
    --beans) beans=${2:?--beans needs a number} && shift ;;
    --twice) twice=${2:?--twice needs a number} && shift ;;
    --time) time=${2:?--time needs a duration} && shift ;;
    --memory) memory=${2:?--memory needs a size} && shift ;;
    --record) record=yes ;;
    -h | --help) usage ;;
    *) fail "what is $1? See --help" ;;
  esac
  shift
done
whole "$beans"
whole "$twice"
prepare "$record"
directory=${directory:-$work/boards}
program() { "$work/bohnenspiel" "$@" --quiet; }

# field NAME prints a number, null, or an array of the JSON object on standard input:
# the first of that name.
field() { grep -oE "\"$1\":(\[[^]]*\]|-?[0-9]+|null)" | head -n 1 | cut -d : -f 2; }

# best prints the pits of the moves with the best score.
best() {
  local text score
  text=$(cat)
  score=$(field score <<<"$text")
  grep -oE "\"pit\":[0-9]+,\"captured\":[0-9]+,\"score\":$score," <<<"$text" | grep -oE '^"pit":[0-9]+' | cut -d : -f 2 | sort -n | paste -s -d ' '
}

# opening W B prints the opening position.
opening() {
  local row
  row=$(printf "$2 %.0s" $(seq "$1"))
  printf '%s/ %s' "$row" "$row"
}

# few W N prints how many beans the tables have that a search of N beans rests on: as few
# as let it find out of every move whether it is best.
few() {
  local most
  case $1 in
    1 | 2) most=4 ;;
    3) most=8 ;;
    4) most=$(($2 < 48 ? 24 : 32)) ;;
    *) most=$beans ;;
  esac
  echo $((most < $2 ? most : $2 - 2))
}

out=$work/boards-${widths// /}-${pits// /}.tsv
printf 'rules\twidth\tbeans a pit\tbeans\tscore\tbest\tby tables\ttables of search\tvisited\tseconds\tclaims\tbytes\n' >"$out"
for rules in $allRules; do
  for w in $widths; do
    db=$directory/$rules-$w
    for b in $pits; do
      n=$((2 * w * b))
      position=$(opening "$w" "$b")
      say "$rules 2×$w, $b a pit"
      tabled="" moves="" found=""
      if ((w <= 4 && n <= twice || n <= beans)); then
        program build --rules "$rules" --width "$w" --db "$db" --beans "$n" --memory "$memory" >/dev/null
        answer=$(program query --rules "$rules" --db "$db" --json --no-build "$position")
        tabled=$(field score <<<"$answer")
        moves=$(best <<<"$answer")
      fi
      top=$(few "$w" "$n")
      program build --rules "$rules" --width "$w" --db "$db" --beans "$top" --memory "$memory" >/dev/null
      rm -f "$work/proof"
      answer=$(measure "$work/bohnenspiel" solve --quiet --rules "$rules" --db "$db" --json --no-build --beans "$top" --time "$time" --memory "$memory" \
        --all-moves --certificate "$work/proof" "$position")
      score=$(field score <<<"$answer")
      if [[ $score == null ]]; then
        score=$(field bounds <<<"$answer")
      else
        found=$(best <<<"$answer")
        moves=${moves:-$found}
        # Whether others are as good is not known of every move when time was over.
        if [[ $(field keeping <<<"$answer") == null ]]; then
          [[ -n $tabled ]] || moves="$moves …"
          found=$moves
        fi
      fi
      if [[ -n $tabled && ($tabled != "$score" || $moves != "$found") ]]; then
        fail "$rules 2×$w, $b a pit: tables say $tabled by $moves, the search says $score by $found"
      fi
      check=$(program certificate check --db "$db" --json "$work/proof")
      printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$rules" "$w" "$b" "$n" "$score" "$moves" "${tabled:+yes}" "$top" \
        "$(field visited <<<"$answer")" "$(cut -f 1 "$work/figures")" "$(field claims <<<"$check")" "$(stat -c %s "$work/proof")" >>"$out"
    done
  done
done

printf '| game | board | beans a pit | score | best first moves | proved by | positions visited | s | claims of the certificate |\n'
printf '|---|---|---:|---:|---|---|---:|---:|---:|\n'
awk -F '\t' '
  function thousands(s,    i) {
    for (i = length(s) - 3; i > 0; i -= 3) s = substr(s, 1, i) "," substr(s, i + 1)
    return s
  }
  NR > 1 {
    how = $7 == "yes" ? "tables" : ""
    if ($8 != "") how = how (how == "" ? "" : ", ") "search above " $8
    gsub(/-/, "−", $5)
    gsub(/,/, " to ", $5)
    gsub(/[][]/, "", $5)
    printf "| %s | 2×%s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $5, $6, how, thousands($9), $10 == "" ? "" : sprintf("%.1f", $10), thousands($11)
  }' "$out"
if [[ -n $record ]]; then
  keep "$command" "$out"
fi
