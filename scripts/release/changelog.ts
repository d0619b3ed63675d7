/*
 * Writes the notes of a release: `docs/release-notes/v1.2.3.md`, or else the subjects of its commits, `area:
 * imperative`.
 *
 *   node scripts/release/changelog.ts v1.2.3
 *
 * The clone must have the tags and their commits.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import { compareVersions, tagOf, versionOfTag } from "./version.ts";

/** Areas of the project itself, which users do not notice. */
const INTERNAL = ["bench", "ci", "lint", "mutate", "release", "tests", "words"];
/** The commit that a release makes on `main`, which changes nothing for users. */
const MADE_BY_RELEASES = /^docs: the examples name v\d/;

const [tag = ""] = process.argv.slice(2);
const written = join(process.cwd(), "docs/release-notes", `${tag}.md`);
process.stdout.write(existsSync(written) ? readFileSync(written, "utf8") : changelog(process.cwd(), tag));

interface Change {
  readonly area: string;
  readonly what: string;
  readonly commit: string;
}

/** Markdown with the changes since the previous release, by area. */
function changelog(folder: string, release: string): string {
  const before = releaseBefore(folder, release);
  // A tag is one commit after the released one.
  const range = before === undefined ? `${release}^` : `${before}^..${release}^`;
  const changes = git(folder, ["log", "--no-merges", "--reverse", "--format=%h %s", range])
    .split("\n")
    .flatMap(changeOf);
  const inside = changes.filter(({ area }) => INTERNAL.includes(area));
  const parts = [areas(changes.filter(({ area }) => !INTERNAL.includes(area)))];
  if (inside.length > 0) {
    parts.push(`<details><summary>Inside the project</summary>\n\n${areas(inside)}\n</details>\n`);
  }
  const since = before === undefined ? "The first release." : `Since ${before}:`;
  return `${since}\n\n${parts.filter(Boolean).join("\n")}`;
}

function releaseBefore(folder: string, release: string): string | undefined {
  const version = versionOfTag(release);
  if (version === undefined) throw new Error(`'${release}' is not the tag of a release`);
  const earlier = git(folder, ["tag", "--list", "v*"])
    .split("\n")
    .flatMap((tagName) => versionOfTag(tagName) ?? [])
    .filter((each) => compareVersions(each, version) < 0)
    .sort(compareVersions)
    .at(-1);
  return earlier && tagOf(earlier);
}

function changeOf(line: string): Change[] {
  const [, commit = "", subject = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
  if (subject === "" || MADE_BY_RELEASES.test(subject)) return [];
  const [, area = "other", what = subject] = /^([a-z][\w ,-]*): (.+)$/.exec(subject) ?? [];
  return [{ area, what: inert(what), commit }];
}

function areas(changes: readonly Change[]): string {
  const byArea = [...Map.groupBy(changes, ({ area }) => area)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return byArea
    .map(([area, of]) => `### ${area}\n\n${of.map(({ what, commit }) => `- ${what} (${commit})\n`).join("")}`)
    .join("\n");
}

/** Removes mentions, links and markup other than code from a subject. */
function inert(text: string): string {
  return text.replaceAll("<", "&lt;").replace(/[@#](?=\w)/g, "$&\u2060");
}
