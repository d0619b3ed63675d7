#!/usr/bin/env bash
# Rehearses a release on this machine, without GitHub: packs the npm package, tags on a bare remote, tries the tag with
# act (https://nektosact.com) as the workflow of a release has it tried, and announces it.
#
#   scripts/rehearse-release.sh [--offline] [options of act…]
#
# The actions are those of GitHub's archive of the tag, which leaves some files out. With --offline nothing is fetched
# from github.com: actions/upload-artifact is replaced by its stand-in in scripts/act/.
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
version=$(node -p "require('$root/package.json').version")
repository=$(node -p "require('$root/docs/newest-release.json').repository")

# What would be committed now, as main of a remote of its own.
mkdir "$work/clone" "$work/package"
git -C "$root" ls-files -z --cached --others --exclude-standard |
  (cd "$root" && while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done) |
  tar -C "$root" --null -T - -cf - | tar -C "$work/clone" -xf -
git init -q --bare -b main "$work/remote.git"
(
  cd "$work/clone"
  git init -q -b main
  git remote add origin "$work/remote.git"
  git add -A
  git -c user.name=rehearsal -c user.email=rehearsal@example.com -c commit.gpgsign=false commit -qm 'What is released'
  git push -q origin main
)

ln -s "$root/node_modules" "$work/clone/node_modules"
cd "$work/clone"
echo '== Pack the npm packages'
node scripts/release/pack.ts "$version" "$work/package"

echo '== Tag'
node scripts/release/tag.ts "$version"
git fetch -q --tags origin

echo '== Pack it again from the tag, into the same bytes'
git worktree add -q --detach "$work/tagged" "v$version"
ln -s "$root/node_modules" "$work/tagged/node_modules"
mkdir "$work/again"
(cd "$work/tagged" && npm run --silent build:packages -- "$work/built" &&
  npm pack --silent "$work/built/service" "$work/built/client" --pack-destination "$work/again")
for file in "$work"/again/*.tgz; do cmp "$file" "$work/package/$(basename "$file")"; done

echo '== The changelog'
node scripts/release/changelog.ts "v$version"

echo '== Try each action by its tag'
mkdir "$work/released" "$work/artifacts"
git archive "v$version" | tar -C "$work/released" -xf -
commit_all "$work/released"
if [ -n "$offline" ]; then
  pinned=$(sed -n 's|.*uses: actions/upload-artifact@\([0-9a-f]*\).*|\1|p' actions/*/action.yml | sort -u)
  set -- --local-repository "actions/upload-artifact@$pinned=$root/scripts/act/upload-artifact" \
    --env "ACT_ARTIFACTS=$work/artifacts" "$@"
else
  set -- --artifact-server-path "$work/artifacts" "$@"
fi
git -c advice.detachedHead=false checkout -q "v$version"
git remote set-url origin "https://github.com/$repository"
act workflow_dispatch -W .github/workflows/try-release.yml --input "package=$work/package/delivery-evidence-$version.tgz" \
  -P ubuntu-latest=-self-hosted --action-cache-path "$work/cache" \
  --local-repository "$repository@v$version=$work/released" "$@"
git remote set-url origin "$work/remote.git"

echo '== Announce it'
node scripts/release/announce.ts "$version"
