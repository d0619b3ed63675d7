import { newestRelease } from "../../scripts/release/newest-release.ts";

const { repository, version, commit } = newestRelease;
const ours = new RegExp(`^${repository}(?:/[\\w./-]+)?@${commit} # ${version.replaceAll(".", "\\.")}$`);

/**
 * Whether a `uses:` names a full commit with the version in a comment. For this repository, those of the newest
 * release.
 */
export function isPinned(uses: string): boolean {
  if (uses.startsWith(`${repository}/`) || uses.startsWith(`${repository}@`)) return ours.test(uses);
  return /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses);
}
