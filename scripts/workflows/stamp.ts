import { newestRelease } from "../release/newest-release.ts";

/** The location of a release's actions. */
export interface Stamp {
  /** `owner/name` */
  readonly repository: string;
  /** All 40 hex digits. */
  readonly commit: string;
  /** For readers: the comment after the commit. */
  readonly version: string;
}

/** @throws {Error} when a value is not valid in a workflow */
export function checkedStamp(stamp: Stamp): Stamp {
  const { repository, commit, version } = stamp;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error(`'${repository}' is not owner/name`);
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new Error(`'${commit}' is not a full commit: 40 hex digits are`);
  if (!/^v\d+\.\d+\.\d+[\w.+-]*$/.test(version)) throw new Error(`'${version}' is not a version like v1.2.3`);
  return stamp;
}

/** The repository of this project's releases. */
export const RELEASED_AS = newestRelease.repository;

/** A `uses:` of this repository: relative (`$/path`), or from an earlier stamp. */
const OWN_REFERENCE = new RegExp(
  String.raw`^(\s*(?:- )?uses: )(?:\$|${RELEASED_AS})/([^@\s#]+)(?:@[0-9a-f]{40})?[ \t]*(?:#.*)?$`,
  "gm",
);
/** A `uses:` of the action at the top of this repository, which has no `$/` path. */
const OWN_ROOT = /^(\s*(?:- )?uses: )\.\/[ \t]*(?:#.*)?$/gm;

/** Pins all of a workflow's references to its own repository to a repository and commit. */
export function stampWorkflow(text: string, { repository, commit, version }: Stamp): string {
  return text.replace(
    OWN_REFERENCE,
    (_, before: string, path: string) => `${before}${repository}/${path}@${commit} # ${version}`,
  );
}

/** Pins the trial workflow to the release's tag, because a release knows its tag before its commit exists. */
export function stampTrial(text: string, { repository, version }: Stamp): string {
  return text
    .replace(OWN_REFERENCE, (_, before: string, path: string) => `${before}${repository}/${path}@${version}`)
    .replace(OWN_ROOT, (_, before: string) => `${before}${repository}@${version}`);
}
