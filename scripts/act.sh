#!/usr/bin/env bash
# Runs the self-test (.github/workflows/self-test.yml, as CI calls it) on this machine with act
# (https://nektosact.com), in host mode and against the embedded service: every action and every reusable workflow.
#
#   scripts/act.sh [--offline] [options of act…]
#
# With --offline nothing is fetched from github.com: the actions of others are replaced by the stand-ins in
# scripts/act/, which move files between the jobs on this machine.
# Exit status: act's own; 3 when act is not installed, so that nothing was run.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

if ! type -P act > /dev/null; then
  echo 'act is not installed: nothing was run. Install it with "go install github.com/nektos/act@latest".' >&2
  exit 3
fi
offline=
if [ "${1:-}" = --offline ]; then
  offline=1
  shift
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/delivery-evidence-act.XXXXXX")
service=
finish() {
  if [ -n "$service" ]; then
    kill "$service" 2> /dev/null || true
    wait "$service" 2> /dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

[ -x "$root/node_modules/.bin/node" ] || (cd "$root" && npm ci)
PATH=$root/node_modules/.bin:$PATH

# act knows no "$/": what it runs is a copy of this tree, stamped as a release is, whose stamp leads back to the copy.
repository=$(node -p "require('$root/docs/newest-release.json').repository")
commit=0000000000000000000000000000000000000000
copy=$work/toolkit
mkdir "$copy"
tar -C "$root" --exclude=./.git --exclude=./node_modules --exclude=./lib -cf - . | tar -C "$copy" -xf -
node "$root/scripts/stamp-workflows.ts" --repository "$repository" --commit "$commit" --version v0.0.0 "$copy"
(
  cd "$copy"
  git init -q
  git remote add origin "https://github.com/$repository"
  git add -A
  git -c user.name=act -c user.email=act@example.com -c commit.gpgsign=false commit -qm 'What act runs'
)

log=$work/service.log
EVIDENCE_ADMIN_KEY=$(node -e 'process.stdout.write(crypto.randomUUID() + crypto.randomUUID())')
export EVIDENCE_ADMIN_KEY
node "$root/src/cli.ts" serve --data "$work/data" --port 0 --org acme > "$log" 2>&1 &
service=$!
address=
for _ in $(seq 120); do
  address=$(sed -n 's/.* listens on \(http[^ ]*\) .*/\1/p' "$log")
  if [ -n "$address" ] || ! kill -0 "$service" 2> /dev/null; then break; fi
  sleep 0.5
done
if [ -z "$address" ]; then
  cat "$log" >&2
  echo 'The embedded service did not start.' >&2
  exit 1
fi
echo "The embedded service runs at $address"

# Secrets by file: an argument could be read by every process of the machine.
(umask 077 && printf 'EVIDENCE_API_KEY=%s\n' "$EVIDENCE_ADMIN_KEY" > "$work/secrets")
unset EVIDENCE_ADMIN_KEY

set -- -P ubuntu-latest=-self-hosted --action-cache-path "$work/cache" \
  --secret-file "$work/secrets" --var "EVIDENCE_BASE_URL=$address" --var EVIDENCE_ORG=acme \
  --local-repository "$repository@$commit=$copy" "$@"
if [ -n "$offline" ]; then
  for name in upload-artifact download-artifact; do
    pinned=$(sed -n "s|.*uses: actions/$name@\([0-9a-f]*\).*|\1|p" "$copy"/.github/workflows/*.yml | sort -u)
    set -- --local-repository "actions/$name@$pinned=$root/scripts/act/$name" "$@"
  done
  mkdir "$work/artifacts"
  set -- --env "ACT_ARTIFACTS=$work/artifacts" "$@"
else
  set -- --artifact-server-path "$work/artifacts" "$@"
fi
cd "$copy"
act push -W .github/workflows/ci.yml -j self-test "$@"
