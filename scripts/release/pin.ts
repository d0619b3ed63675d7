import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NamedRelease, NEWEST_RELEASE_FILE, NOT_RELEASED, readNewestRelease } from "./newest-release.ts";

/** Pages with examples. */
const PAGES = ["README.md", "actions/*/README.md", ".github/*.md", "docs/*.md"];

const NOTE_BEGINS = "<!-- newest-release -->";
const NOTE_ENDS = "<!-- /newest-release -->";

/** Note of a page about the release in its examples. */
export function releaseNote({ repository, version, commit }: NamedRelease): string {
  return commit === NOT_RELEASED
    ? `There is no release yet. Replace \`${NOT_RELEASED}\` with the commit of your clone (\`git rev-parse HEAD\`).`
    : `The examples name the release [${version}](https://github.com/${repository}/releases/tag/${version}).`;
}

/** Updates every example of a tree to a release, and records the release. */
export function pinPages(root: string, release: NamedRelease): void {
  const before = readNewestRelease(root);
  for (const page of globSync(PAGES, { cwd: root })) {
    const text = readFileSync(join(root, page), "utf8");
    const pinned = withPin(text, before, release);
    const isNoted = page === "README.md" || pinned.includes(NOTE_BEGINS);
    writeFileSync(join(root, page), isNoted ? withNote(pinned, release) : pinned);
  }
  writeFileSync(join(root, NEWEST_RELEASE_FILE), `${JSON.stringify(release, null, 2)}\n`);
}

function withPin(text: string, before: NamedRelease, after: NamedRelease): string {
  return text
    .replaceAll(before.repository, after.repository)
    .replaceAll(`@${before.commit} # ${before.version}`, `@${after.commit} # ${after.version}`);
}

function withNote(text: string, release: NamedRelease): string {
  const [from, to] = [text.indexOf(NOTE_BEGINS), text.indexOf(NOTE_ENDS)];
  if (from < 0 || to < from) throw new Error(`A page has no markers ${NOTE_BEGINS} and ${NOTE_ENDS}`);
  return `${text.slice(0, from)}${NOTE_BEGINS}\n${releaseNote(release)}\n${text.slice(to)}`;
}
