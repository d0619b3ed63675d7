#!/usr/bin/env bash
# Runs the first workflow of the README, word for word, on this machine with act (https://nektosact.com): in host mode,
# against the embedded service, with this tree as the toolkit and stand-ins for the cluster and for GitHub's tokens: the
# workflow has no secret. Nothing is fetched. It ends well only when the gate opens.
#
#   scripts/act-readme.sh [options of act…]
#
# Exit status: act's own; 3 when act is not installed, so that nothing was run.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# shellcheck source=scripts/act/machine.sh
. "$root/scripts/act/machine.sh"

mkdir "$work/project" "$work/bin" "$work/cluster"
copy_tree "$work/toolkit"
commit_all "$work/toolkit" delivery-evidence/toolkit
node "$root/scripts/readme-project.ts" "$work/project"
commit_all "$work/project" acme/web

printf '#!/bin/sh\nexec node "%s" "$@"\n' "$root/test/kubernetes/fake-kubectl.ts" > "$work/bin/kubectl"
chmod +x "$work/bin/kubectl"
PATH=$work/bin:$PATH

start_tokens "$(git -C "$work/project" rev-parse HEAD)"
EVIDENCE_OIDC_KEYS=https://token.actions.githubusercontent.com=$work/token-keys.json start_service
# An admin trusts the repository, as the README says.
trust=$(sed -n 's|^npx delivery-evidence \(trust github .*\)|\1|p' "$root/README.md" | head -n 1)
(
  # shellcheck source=/dev/null
  . "$work/secrets"
  export EVIDENCE_API_KEY EVIDENCE_BASE_URL=$address EVIDENCE_ORG=acme
  # shellcheck disable=SC2086 # its words
  node "$root/src/cli.ts" $trust
)

# What the README's examples are pinned to, a release fills in; here it is this tree.
uses=$(sed -n 's|.*uses: delivery-evidence/toolkit/actions/attest@\([^ ]*\).*|\1|p' "$root/README.md" | head -n 1)
upload=$(sed -n 's|.*uses: \(actions/upload-artifact@[0-9a-f]*\).*|\1|p' "$root/actions/attest/action.yml")
cd "$work/project"
act push -P ubuntu-latest=-self-hosted --action-cache-path "$work/cache" \
  --env-file "$work/token-variables" --var "EVIDENCE_BASE_URL=$address" \
  --env "FAKE_STATE=$work/cluster" --env FAKE_PODS=2 \
  --local-repository "delivery-evidence/toolkit@$uses=$work/toolkit" \
  --local-repository "$upload=$root/scripts/act/upload-artifact" "$@"
