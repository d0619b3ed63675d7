import { globSync, readFileSync } from "node:fs";
import { actions, root as rootAction } from "../../src/actions/actions.ts";
import { allInputs } from "../../src/github/step/action.ts";
import { root } from "./pages.ts";

/** What stands for the parts of a message that differ from one to the next. */
const GAP = "…";

/** Everything that can print a message, as one text in which every value that is put into one is a gap. */
const sources = normalized(
  [...globSync("src/**/*.ts", { cwd: root }), "actions/launch.sh"]
    .sort()
    .map((path) => readFileSync(root + path, "utf8"))
    .map(withGaps)
    .join("\n"),
);

/** Without what only the code needs: values in texts, and the breaks between the parts of a long text. */
function withGaps(source: string): string {
  return withoutValues(source)
    .replace(/["'`] \+\s*["'`]/g, "")
    .replace(/\$\w+/g, GAP)
    .replace(/\\(["'`\\])/g, "$1");
}

/** Values may hold braces and texts of their own, so they are taken out from the inside. */
function withoutValues(source: string): string {
  const reduced = source.replace(/\$\{[^{}]*\}/g, GAP);
  return reduced === source ? source : withoutValues(reduced);
}

function normalized(text: string): string {
  return text.replace(/\s+/g, " ");
}

const inputNames = new Set([...actions, rootAction].flatMap((action) => Object.keys(allInputs(action))));

/** The parts of a message that are always the same, without the input that it begins with and the signs around them. */
export function fixedParts(message: string): string[] {
  const [, name = "", rest = ""] = /^([a-z][a-z-]*): (.*)$/.exec(message) ?? [];
  return (inputNames.has(name) ? rest : message).split(GAP).map(bare).filter(Boolean);
}

/** Without the blanks and punctuation around it, which are often those of the text that it is put into. */
function bare(part: string): string {
  return normalized(part).replace(/^[^\p{L}\p{N}`]+|[^\p{L}\p{N}`]+$/gu, "");
}

/** Whether a message could come from our programs: each of its fixed parts stands in them, and they say something. */
export function isOurs(message: string): boolean {
  const parts = fixedParts(message);
  return parts.join("").length >= 8 && parts.every((part) => stands(part) || isJoined(part));
}

function stands(part: string): boolean {
  return sources.includes(part);
}

/** A value that is a text of its own leaves no gap to see: then the text around it and the value each stand somewhere. */
function isJoined(part: string): boolean {
  const words = part.split(" ");
  return words.some((_, index) => {
    const halves = [words.slice(0, index), words.slice(index)];
    return halves.some(({ length }) => length > 1) && halves.every((half) => stands(bare(half.join(" "))));
  });
}
