import { globSync, readFileSync } from "node:fs";
import { actions, root as rootAction } from "../../src/actions/actions.ts";
import { allInputs } from "../../src/github/step/action.ts";
import { root } from "./pages.ts";

/** The placeholder for the variable parts of a message. */
const GAP = "…";

/** All texts that can print a message, as one text in which every inserted value is a gap. */
const sources = normalized(
  [...globSync("src/**/*.ts", { cwd: root }), "actions/launch.sh"]
    .sort()
    .map((path) => readFileSync(root + path, "utf8"))
    .map(withGaps)
    .join("\n"),
);

/** Without code syntax: values in texts, and the breaks between the parts of a long text. */
function withGaps(source: string): string {
  return withoutValues(source)
    .replace(/["'`] \+\s*["'`]/g, "")
    .replace(/\$\w+/g, GAP)
    .replace(/\\(["'`\\])/g, "$1");
}

/** Values may contain braces and texts, so they are removed from the inside. */
function withoutValues(source: string): string {
  const reduced = source.replace(/\$\{[^{}]*\}/g, GAP);
  return reduced === source ? source : withoutValues(reduced);
}

function normalized(text: string): string {
  return text.replace(/\s+/g, " ");
}

const inputNames = new Set([...actions, rootAction].flatMap((action) => Object.keys(allInputs(action))));

/** The constant parts of a message, without the input that it starts with and the surrounding punctuation. */
export function fixedParts(message: string): string[] {
  const [, name = "", rest = ""] = /^([a-z][a-z-]*): (.*)$/.exec(message) ?? [];
  return (inputNames.has(name) ? rest : message).split(GAP).map(bare).filter(Boolean);
}

/** Without surrounding blanks and punctuation, which often belong to the text around it. */
function bare(part: string): string {
  return normalized(part).replace(/^[^\p{L}\p{N}`]+|[^\p{L}\p{N}`]+$/gu, "");
}

/** Whether a message could come from our programs: they contain each of its constant parts, which are not trivial. */
export function isOurs(message: string): boolean {
  const parts = fixedParts(message);
  return parts.join("").length >= 8 && parts.every((part) => stands(part) || isJoined(part));
}

function stands(part: string): boolean {
  return sources.includes(part);
}

/** A value that is a text itself leaves no visible gap: then the text around it and the value are looked up separately. */
function isJoined(part: string): boolean {
  const words = part.split(" ");
  return words.some((_, index) => {
    const halves = [words.slice(0, index), words.slice(index)];
    return halves.some(({ length }) => length > 1) && halves.every((half) => stands(bare(half.join(" "))));
  });
}
