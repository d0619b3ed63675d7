import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The release in the examples of the pages. */
export interface NamedRelease {
  /** `owner/name` at GitHub. */
  readonly repository: string;
  /** The tag, such as `v1.2.3`. */
  readonly version: string;
  /** All 40 hex digits; {@link NOT_RELEASED} before the first release. */
  readonly commit: string;
}

/** Placeholder for a commit in the examples. */
export const NOT_RELEASED = "FULL_COMMIT_SHA";

/** The only file with the project's repository and its newest release. Releases update it. */
export const NEWEST_RELEASE_FILE = "docs/newest-release.json";

/** @throws {Error} when the tree's file is incomplete */
export function readNewestRelease(root: string): NamedRelease {
  const { repository, version, commit } = JSON.parse(readFileSync(join(root, NEWEST_RELEASE_FILE), "utf8"));
  const release = { repository: String(repository), version: String(version), commit: String(commit) };
  const isWhole =
    /^[\w.-]+\/[\w.-]+$/.test(release.repository) &&
    /^v\d+\.\d+\.\d+$/.test(release.version) &&
    (release.commit === NOT_RELEASED || /^[0-9a-f]{40}$/.test(release.commit));
  if (!isWhole) throw new Error(`${NEWEST_RELEASE_FILE} must name a repository, version and commit`);
  return release;
}

/** The repository of a release: GitHub's variable, or else the project's own file. */
export function repositoryOfRelease(): string {
  return process.env["GITHUB_REPOSITORY"] ?? newestRelease.repository;
}

/** The release in the pages of this tree. */
export const newestRelease: NamedRelease = readNewestRelease(
  fileURLToPath(new URL("../..", import.meta.url)),
);
