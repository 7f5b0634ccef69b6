# shellcheck shell=bash
# What the scripts of this folder share: sourced, not run.
# After prepare, $work is a folder for temporary files, $work/bohnenspiel the
# program, and $db a directory for a database.

# Times have points, whatever the reader's language.
export LC_ALL=C

work=""
db=""

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$(basename "$0"): $*"
  exit 1
}

# usage prints the comment at the head of the script.
usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "benchmarks/$(basename "$0")"
  exit 0
}

whole() { [[ $1 =~ ^[0-9]+$ ]] || fail "$1 is not a whole number; see --help"; }

need() { command -v "$1" >/dev/null || fail "$1 is missing: install $2"; }

# prepare RECORD builds the program. With RECORD set it wants a clean checkout,
# because a record names a commit.
prepare() {
  need /usr/bin/time "GNU time"
  if [[ -n $1 && -n $(git status --porcelain --untracked-files=no) ]]; then
    fail "a record names a commit: commit your changes first"
  fi
  unset BOHNENSPIEL_DB
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  db=$work/db
  go build -buildvcs=false -o "$work/bohnenspiel" ./cmd/bohnenspiel
}

# measure COMMAND… runs a command; figures then prints its wall, user and system
# time in seconds and its peak memory in KiB, with tabs between.
measure() {
  local began=$EPOCHREALTIME
  /usr/bin/time -o "$work/time" -f '%U\t%S\t%M' "$@" || fail "this failed: $*"
  local ended=$EPOCHREALTIME
  awk -v began="$began" -v ended="$ended" '{ printf "%.4f\t%s\n", ended - began, $0 }' "$work/time" >"$work/figures"
}

figures() { cat "$work/figures"; }

# disk prints the bytes that the database takes on the disk.
disk() { du -s --block-size=1 "$db" | cut -f 1; }

# stats BEANS prints beans, positions, wins, draws, losses and the sum of scores of
# a layer, with tabs between.
stats() {
  "$work/bohnenspiel" stats --beans "$1" --json --db "$db" |
    sed -E 's/.*"beans":([0-9]+),"positions":([0-9]+),"wins":([0-9]+),"draws":([0-9]+),"losses":([0-9]+),"scoreSum":(-?[0-9]+),.*/\1\t\2\t\3\t\4\t\5\t\6/'
}

# keep COMMAND FILE… makes a record of the files, with the machine and the command.
keep() {
  local folder
  folder=benchmarks/results/$(date +%F)-$(git rev-parse --short HEAD)
  mkdir -p "$folder"
  cp "${@:2}" "$folder"
  grep -qsxF "$1" "$folder/command.txt" || printf '%s\n' "$1" >>"$folder/command.txt"
  {
    printf 'system      %s\n' "$(uname -srm)"
    printf 'processor   %s, %s cores\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
    printf 'memory      %s\n' "$(awk '$1 == "MemTotal:" { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo)"
    printf 'file system %s\n' "$(stat -f -c %T "$work")"
    printf 'load        %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)"
    printf 'Go          %s\n' "$(go env GOVERSION)"
    if command -v g++ >/dev/null; then
      printf 'g++         %s\n' "$(g++ -dumpfullversion)"
    fi
  } >"$folder/machine.txt"
  say "recorded in $folder"
}
