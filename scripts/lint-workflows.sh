#!/usr/bin/env bash
# Lints every workflow and action with actionlint and zizmor, and every shell script with shellcheck, as far as they are
# installed, and says which are not.
#
#   scripts/lint-workflows.sh [--all]
#
# With --all a missing linter is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
missing=
work=$(mktemp -d "${TMPDIR:-/tmp}/lint-workflows.XXXXXX")
trap 'rm -rf "$work"' EXIT

# actionlint 1.7.12 does not know "$/", which zizmor asks for. As "./" the references mean the same in this
# repository, and actionlint checks what the called actions and workflows are given.
local_references() {
  tar -cf - .github actions action.yml dist | tar -C "$work" -xf -
  git -C "$work" init -q
  for file in "$work"/.github/workflows/*.yml; do
    sed 's|uses: \$/|uses: ./|' "$file" > "$file.local" && mv "$file.local" "$file"
  done
}

lint() {
  case $1 in
    actionlint) local_references && (cd "$work" && actionlint -color) ;;
    zizmor) zizmor --persona=pedantic --offline --quiet action.yml actions .github scripts/act ;;
    shellcheck) shellcheck -x actions/launch.sh scripts/*.sh scripts/act/*.sh .ci/run ;;
  esac
}

for linter in actionlint zizmor shellcheck; do
  if ! type -P "$linter" > /dev/null; then
    echo "$linter is not installed: nothing was checked with it"
    missing="$missing $linter"
  elif lint "$linter"; then
    echo "$linter has nothing to say"
  else
    status=1
  fi
done
if [ -n "$missing" ] && [ "${1:-}" = --all ]; then
  echo "Missing:$missing" >&2
  status=1
fi
[ "$status" -eq 0 ]
