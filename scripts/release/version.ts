/** A release version, without a suffix. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** @throws {Error} unless the text is a version such as `1.2.3` */
export function parseVersion(text: string): Version {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text) ?? [];
  if (patch === undefined) throw new Error(`'${text}' is no version to release: give one such as 1.2.3`);
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** Negative if the first is lower than the second. */
export function compareVersions(one: Version, other: Version): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}

/** The tag of a release. It never moves. */
export function tagOf({ major, minor, patch }: Version): string {
  return `v${major}.${minor}.${patch}`;
}

/** The tag that moves to the newest release of its major version. */
export function majorTagOf({ major }: Version): string {
  return `v${major}`;
}

/** The version of a release's tag; undefined for any other tag. */
export function versionOfTag(tag: string): Version | undefined {
  return /^v\d+\.\d+\.\d+$/.test(tag) ? parseVersion(tag.slice(1)) : undefined;
}
