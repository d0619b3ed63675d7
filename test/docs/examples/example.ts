import type { NamedText } from "../../workflows/workflow-files.ts";
import { blocksOf, type Page, pages } from "../pages.ts";
import { shapeOf } from "../shapes.ts";

/** A complete workflow of a page, and its accompanying files. */
export interface Example {
  /** The page and the workflow's own name, if it has one: `README.md: Deliver`. */
  readonly title: string;
  readonly workflow: NamedText;
  readonly files: Readonly<Record<string, string>>;
  /** The commands of the page, or of the README, with which an admin trusts the repository. */
  readonly trust: readonly string[];
}

const readme = pages.filter(({ path }) => path === "README.md");

/** Every complete example of every page. */
const examples: readonly Example[] = pages.flatMap(examplesOf);

/** The example of that title. */
export function example(title: string): Example {
  const found = examples.filter((each) => each.title === title);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} examples are '${title}'`);
  return only;
}

function examplesOf(page: Page): Example[] {
  const found: { title: string; workflow: NamedText; files: Record<string, string>; trust: string[] }[] = [];
  const own = trustCommands(page);
  const trust = own.length > 0 ? own : readme.flatMap(trustCommands);
  for (const block of blocksOf(page)) {
    if (block.language !== "yaml") continue;
    if (shapeOf(block) === "workflow") {
      const name = /^name: (.*)$/m.exec(block.text)?.[1] ?? /^on:\s*(\w+)/m.exec(block.text)?.[1];
      found.push({ title: `${page.path}: ${name}`, workflow: block, files: {}, trust });
    }
    const path = pathOf(page, Number(block.name.split(":")[1]));
    const latest = found.at(-1);
    if (path !== undefined && latest !== undefined) latest.files[path] = block.text;
  }
  return found;
}

function trustCommands({ text }: Page): string[] {
  return [...text.matchAll(/npx delivery-evidence (trust github [\w./-]+(?: --[\w-]+(?: [\w-]+)?)+)$/gm)].map(
    ([, command = ""]) => command,
  );
}

/** The file name of a block, from the line before it, such as "Add `evidence.yml` to the top folder:". */
function pathOf({ text }: Page, line: number): string | undefined {
  const before = text.split("\n").slice(0, line - 1);
  const last = before.findLast((each) => each !== "") ?? "";
  return /\b(?:with|Add) `([\w./-]+)`.*:$/.exec(last)?.[1];
}

/** The examples that build what they deliver. They have a test file of their own. */
export const BUILDS =
  /^(?:README|docs\/(?:migration|attest-build|tutorial))\.md|^docs\/reusable-workflows\.md: Build$/;

/** The examples that commit to the repository. They have a test file of their own. */
export const COMMITS = /: Witness$/;

/** Records which of the examples a test file runs. */
export function recordRuns(isOwn: (title: string) => boolean) {
  const left = new Set(examples.map(({ title }) => title).filter(isOwn));
  return {
    /** The titles of those that have not run. */
    left,
    /** The example of that title, which is about to run. */
    page(title: string): Example {
      left.delete(title);
      return example(title);
    },
  };
}
