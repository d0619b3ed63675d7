/*
 * Tags a release: creates the tag's commit from the checked-out one, and pushes the tag.
 *
 *   node scripts/release/tag.ts 1.2.3 [--remote origin] [--dry-run]
 *
 * A repeated run finds its own tag and does nothing. With --dry-run, it only checks that the version can be released.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { git, releasesOn, remoteRef } from "./git.ts";
import { newestRelease, repositoryOfRelease } from "./newest-release.ts";
import { Refusal, runScript, say, setOutputs } from "./outputs.ts";
import { makeReleaseCommit } from "./release-commit.ts";
import { compareVersions, parseVersion, tagOf, type Version } from "./version.ts";

const { values, positionals } = parseArgs({
  options: {
    remote: { type: "string", default: "origin" },
    "dry-run": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const folder = process.cwd();
const { remote, "dry-run": dryRun } = values;
const repository = repositoryOfRelease();

await runScript(() => {
  const version = requestedVersion(positionals[0] ?? "");
  const tag = tagOf(version);
  const source = git(folder, ["rev-parse", "HEAD"]);
  const commit = makeReleaseCommit(folder, { repository, version: tag, commit: source });
  const tagged = remoteRef(folder, remote, `refs/tags/${tag}`);
  if (tagged === undefined) {
    refuseOthers(version, source);
    if (!dryRun) git(folder, ["push", "--quiet", remote, `${commit}:refs/tags/${tag}`]);
    say(`${tag} ${dryRun ? "would be" : "is"} ${commit}, one commit after ${source}`);
  } else if (tagged === commit) {
    say(`${tag} already exists`);
  } else {
    throw new Refusal(`${tag} is already released from another commit: choose the next version`);
  }
  setOutputs({ tag, commit });
});

function requestedVersion(text: string): Version {
  let version: Version;
  try {
    version = parseVersion(text);
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
  if (repository !== newestRelease.repository) {
    throw new Refusal(
      `This is ${repository}, but docs/newest-release.json names ${newestRelease.repository}`,
    );
  }
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (manifest.version !== text) {
    throw new Refusal(
      `package.json has version ${manifest.version}, not ${text}: merge the new version first, with its dist ("npm version ${text} --no-git-tag-version", "npm run build")`,
    );
  }
  return version;
}

/** Only the head of `main` can be released, with a version above all released ones. */
function refuseOthers(version: Version, source: string): void {
  const main = remoteRef(folder, remote, "refs/heads/main");
  if (main !== source) {
    throw new Refusal(`main has moved from ${source} to ${main}: start the release again from there`);
  }
  const later = releasesOn(folder, remote).find((release) => compareVersions(release.version, version) > 0);
  if (later !== undefined) {
    throw new Refusal(`${tagOf(later.version)} is already released: choose a later version`);
  }
}
