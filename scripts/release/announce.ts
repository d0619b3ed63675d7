/*
 * Directs users to a tried release: moves its major version's tag to it, and updates the pages on `main`.
 *
 *   node scripts/release/announce.ts 1.2.3 [--remote origin]
 *
 * Changes by a newer release or an earlier run are kept.
 */
import { parseArgs } from "node:util";
import { commitOnto, git, releasesOn, remoteRef } from "./git.ts";
import { NEWEST_RELEASE_FILE, NOT_RELEASED, newestRelease } from "./newest-release.ts";
import { Refusal, runScript, say } from "./outputs.ts";
import { pinPages } from "./pin.ts";
import { compareVersions, majorTagOf, parseVersion, tagOf, type Version, versionOfTag } from "./version.ts";

/** `main` may move while the pages are written. */
const ATTEMPTS = 3;

const { values, positionals } = parseArgs({
  options: { remote: { type: "string", default: "origin" } },
  allowPositionals: true,
});
const folder = process.cwd();
const { remote } = values;

await runScript(() => {
  const version = parseVersion(positionals[0] ?? "");
  const releases = releasesOn(folder, remote);
  const release = releases.find((each) => compareVersions(each.version, version) === 0);
  if (release === undefined) throw new Refusal(`Release ${tagOf(version)} does not exist`);

  const sameMajor = releases.filter((each) => each.version.major === version.major);
  if (sameMajor.every((each) => compareVersions(each.version, version) <= 0)) {
    moveMajorTag(version, release.commit);
  } else {
    say(`${majorTagOf(version)} is not moved: a later release has moved it already`);
  }
  namePages(version, release.commit);
});

function moveMajorTag(version: Version, commit: string): void {
  const [name, ref] = [majorTagOf(version), `refs/tags/${majorTagOf(version)}`];
  const before = remoteRef(folder, remote, ref);
  if (before !== commit) {
    git(folder, ["fetch", "--quiet", remote, commit]);
    // Only if the tag is still where it was found, so that no other move is undone.
    git(folder, ["push", "--quiet", `--force-with-lease=${ref}:${before ?? ""}`, remote, `${commit}:${ref}`]);
  }
  say(`${name} is ${tagOf(version)}`);
}

/** Commits to `main` that its examples name the release's commit. The release itself cannot contain its own commit. */
function namePages(version: Version, commit: string): void {
  for (let attempt = 1; ; attempt++) {
    git(folder, ["fetch", "--quiet", remote, "refs/heads/main"]);
    const main = git(folder, ["rev-parse", "FETCH_HEAD"]);
    const named = versionNamedBy(main);
    if (named !== undefined && compareVersions(named, version) >= 0) {
      say(`The pages on main name ${tagOf(named)}`);
      return;
    }
    const pinned = commitOnto({
      folder,
      parent: main,
      subject: `docs: the examples name ${tagOf(version)}`,
      edit: (tree) =>
        pinPages(tree, { repository: newestRelease.repository, version: tagOf(version), commit }),
    });
    try {
      git(folder, ["push", "--quiet", remote, `${pinned}:refs/heads/main`]);
    } catch (error) {
      const moved = remoteRef(folder, remote, "refs/heads/main") !== main;
      if (!moved || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The release that a commit's pages name; undefined if none. */
function versionNamedBy(commit: string): Version | undefined {
  const named = JSON.parse(git(folder, ["show", `${commit}:${NEWEST_RELEASE_FILE}`]));
  return named.commit === NOT_RELEASED ? undefined : versionOfTag(String(named.version));
}
