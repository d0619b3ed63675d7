#!/usr/bin/env bash
# Runs the first workflow of the README, word for word, on this machine with act (https://nektosact.com): in host mode,
# against the embedded service, with this tree as the toolkit and a stand-in for the cluster. Nothing is fetched.
# It ends well only when the gate opens.
#
#   scripts/act-readme.sh [options of act…]
#
# Exit status: act's own; 3 when act is not installed, so that nothing was run.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

if ! type -P act > /dev/null; then
  echo 'act is not installed: nothing was run. Install it with "go install github.com/nektos/act@latest".' >&2
  exit 3
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/delivery-evidence-act-readme.XXXXXX")
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

commit_all() {
  git init -q "$1"
  git -C "$1" remote add origin "https://github.com/$2"
  git -C "$1" add -A
  git -C "$1" -c user.name=act -c user.email=act@example.com -c commit.gpgsign=false commit -qm 'What act runs'
}

mkdir "$work/toolkit" "$work/project" "$work/bin" "$work/cluster"
tar -C "$root" --exclude=./.git --exclude=./node_modules --exclude=./lib -cf - . | tar -C "$work/toolkit" -xf -
commit_all "$work/toolkit" delivery-evidence/toolkit
node "$root/scripts/readme-project.ts" "$work/project"
commit_all "$work/project" acme/web

printf '#!/bin/sh\nexec node "%s" "$@"\n' "$root/test/kubernetes/fake-kubectl.ts" > "$work/bin/kubectl"
chmod +x "$work/bin/kubectl"
PATH=$work/bin:$PATH

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

# Secrets by file: an argument could be read by every process of the machine.
(umask 077 && printf 'EVIDENCE_API_KEY=%s\n' "$EVIDENCE_ADMIN_KEY" > "$work/secrets")
unset EVIDENCE_ADMIN_KEY

# What the README's examples are pinned to, a release fills in; here it is this tree.
uses=$(sed -n 's|.*uses: delivery-evidence/toolkit/actions/attest@\([^ ]*\).*|\1|p' "$root/README.md" | head -n 1)
upload=$(sed -n 's|.*uses: \(actions/upload-artifact@[0-9a-f]*\).*|\1|p' "$root/actions/attest/action.yml")
cd "$work/project"
act push -P ubuntu-latest=-self-hosted --action-cache-path "$work/cache" \
  --secret-file "$work/secrets" --var "EVIDENCE_BASE_URL=$address" \
  --env "FAKE_STATE=$work/cluster" --env FAKE_PODS=2 \
  --local-repository "delivery-evidence/toolkit@$uses=$work/toolkit" \
  --local-repository "$upload=$root/scripts/act/upload-artifact" "$@"
