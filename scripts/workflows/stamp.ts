import { newestRelease } from "../release/newest-release.ts";

/** Where the actions of a release are. */
export interface Stamp {
  /** `owner/name` */
  readonly repository: string;
  /** All 40 hex digits. */
  readonly commit: string;
  /** For people: the comment behind the commit. */
  readonly version: string;
}

/** @throws {Error} when any of it cannot stand in a workflow */
export function checkedStamp(stamp: Stamp): Stamp {
  const { repository, commit, version } = stamp;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error(`'${repository}' is not owner/name`);
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new Error(`'${commit}' is not a full commit: 40 hex digits are`);
  if (!/^v\d+\.\d+\.\d+[\w.+-]*$/.test(version)) throw new Error(`'${version}' is not a version like v1.2.3`);
  return stamp;
}

/** The name under which this repository is released. */
export const RELEASED_AS = newestRelease.repository;

/** A `uses:` of this repository: itself (`$/path`), or as an earlier stamp wrote it. */
const OWN_REFERENCE = new RegExp(
  String.raw`^(\s*(?:- )?uses: )(?:\$|${RELEASED_AS})/([^@\s#]+)(?:@[0-9a-f]{40})?[ \t]*(?:#.*)?$`,
  "gm",
);
/** A `uses:` of the action at the top of this repository, which `$/` has no path for. */
const OWN_ROOT = /^(\s*(?:- )?uses: )\.\/[ \t]*(?:#.*)?$/gm;

/** A workflow whose every reference to its own repository names repository and commit. */
export function stampWorkflow(text: string, { repository, commit, version }: Stamp): string {
  return text.replace(
    OWN_REFERENCE,
    (_, before: string, path: string) => `${before}${repository}/${path}@${commit} # ${version}`,
  );
}

/** The workflow that tries a release: it names the tag, which a release knows before it is made. */
export function stampTrial(text: string, { repository, version }: Stamp): string {
  return text
    .replace(OWN_REFERENCE, (_, before: string, path: string) => `${before}${repository}/${path}@${version}`)
    .replace(OWN_ROOT, (_, before: string) => `${before}${repository}@${version}`);
}
