import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The release that the examples of the pages name. */
export interface NamedRelease {
  /** `owner/name` at GitHub. */
  readonly repository: string;
  /** The tag, such as `v1.2.3`. */
  readonly version: string;
  /** All 40 hex digits; {@link NOT_RELEASED} before there is a release. */
  readonly commit: string;
}

/** Stands in the examples where a commit will stand. */
export const NOT_RELEASED = "FULL_COMMIT_SHA";

/** The one place that says where the project is, and which release is the newest. A release fills it in. */
export const NEWEST_RELEASE_FILE = "docs/newest-release.json";

/** @throws {Error} when the file of that tree does not say all of it */
export function readNewestRelease(root: string): NamedRelease {
  const { repository, version, commit } = JSON.parse(readFileSync(join(root, NEWEST_RELEASE_FILE), "utf8"));
  const release = { repository: String(repository), version: String(version), commit: String(commit) };
  const isWhole =
    /^[\w.-]+\/[\w.-]+$/.test(release.repository) &&
    /^v\d+\.\d+\.\d+$/.test(release.version) &&
    (release.commit === NOT_RELEASED || /^[0-9a-f]{40}$/.test(release.commit));
  if (!isWhole) throw new Error(`${NEWEST_RELEASE_FILE} names no repository, version and commit`);
  return release;
}

/** The repository of a release. GitHub says where it runs; on another machine the project's own word is taken. */
export function repositoryOfRelease(): string {
  return process.env["GITHUB_REPOSITORY"] ?? newestRelease.repository;
}

/** The release that the pages of this tree name. */
export const newestRelease: NamedRelease = readNewestRelease(
  fileURLToPath(new URL("../..", import.meta.url)),
);
