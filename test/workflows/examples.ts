import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { pinned } from "../docs/pages.ts";
import type { NamedText } from "./workflow-files.ts";

const root = new URL("../../", import.meta.url);

/** The YAML blocks of a Markdown file that are complete workflows. */
export function exampleWorkflows(path: string): NamedText[] {
  return yamlBlocks(path).filter(({ text }) => /^jobs:/m.test(text));
}

/** Every YAML block of a Markdown file, without the indentation of the surrounding list item. */
export function yamlBlocks(path: string): NamedText[] {
  const markdown = readFileSync(new URL(path, root), "utf8");
  return [...markdown.matchAll(/^([ \t]*)```ya?ml\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = "", body = ""], index) => {
      const text = pinned(body.replace(new RegExp(`^${indent}`, "gm"), ""));
      parse(text);
      return { name: `${path}, YAML block ${index + 1}`, text };
    },
  );
}
