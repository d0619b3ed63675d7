#!/usr/bin/env bash
# Runs the self-test (.github/workflows/self-test.yml, as CI calls it) on this machine with act
# (https://nektosact.com), in host mode and against the embedded service: every action and every reusable workflow.
#
#   scripts/act.sh [--offline] [options of act…]
#
# With --offline nothing is fetched from github.com: the actions of others are replaced by the stand-ins in
# scripts/act/, which move files between the jobs on this machine and make no tokens.
# Exit status: act's own; 3 when act is not installed, so that nothing was run.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# shellcheck source=scripts/act/machine.sh
. "$root/scripts/act/machine.sh"
offline=
if [ "${1:-}" = --offline ]; then
  offline=1
  shift
fi

# act knows no "$/": what it runs is a copy of this tree, stamped as a release is, whose stamp leads back to the copy.
repository=$(node -p "require('$root/docs/newest-release.json').repository")
commit=0000000000000000000000000000000000000000
copy=$work/toolkit
copy_tree "$copy"
node "$root/scripts/stamp-workflows.ts" --repository "$repository" --commit "$commit" --version v0.0.0 "$copy"
commit_all "$copy" "$repository"
start_service

set -- -P ubuntu-latest=-self-hosted --action-cache-path "$work/cache" \
  --secret-file "$work/secrets" --var "EVIDENCE_BASE_URL=$address" --var EVIDENCE_ORG=acme \
  --local-repository "$repository@$commit=$copy" "$@"
if [ -n "$offline" ]; then
  for name in upload-artifact download-artifact create-github-app-token; do
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
