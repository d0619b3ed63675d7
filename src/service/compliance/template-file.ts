import { LineCounter, parseDocument } from "yaml";
import { describeIssues } from "../../api/validation.ts";
import { type Template, templateFile, templateOfFile } from "./template.ts";

/** The largest template that is read, in bytes. */
export const MAX_TEMPLATE_BYTES = 256 * 1024;
/** The most nodes that aliases may stand for: enough for any real template, too few for a bomb. */
const MAX_ALIASES = 100;
/** Brackets and braces that may be open at a time; a template needs six. */
const MAX_NESTING = 50;

/** What is wrong with a template file, by field. The empty name stands for the file as a whole. */
export class TemplateError extends Error {
  readonly problems: Readonly<Record<string, string>>;

  constructor(problems: Record<string, string>) {
    super(Object.values(problems).join("; "));
    this.name = "TemplateError";
    this.problems = problems;
  }
}

/**
 * Reads a flow template in YAML.
 *
 * @throws TemplateError
 */
export function parseTemplate(text: string): Template {
  const content = parseYaml(text);
  const result = templateFile.safeParse(content);
  if (!result.success) throw new TemplateError(describeIssues(result.error.issues, content, { root: "" }));
  const template = templateOfFile(result.data);
  const problems = repeatedNames(template);
  if (Object.keys(problems).length > 0) throw new TemplateError(problems);
  return template;
}

function parseYaml(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_TEMPLATE_BYTES) {
    throw new TemplateError({ "": `A template may hold up to ${MAX_TEMPLATE_BYTES / 1024} kB` });
  }
  if (nestingOf(text) > MAX_NESTING) throw new TemplateError({ "": "The YAML is nested too deeply" });
  try {
    return contentOf(text);
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError({ "": `Invalid YAML: ${error instanceof Error ? error.message : error}` });
  }
}

function contentOf(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new TemplateError({ "": `Invalid YAML at line ${line}, column ${col}: ${error.message}` });
  }
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

/** How deep flow collections or indentation can nest at most; counted before the parser recurses into them. */
function nestingOf(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const line of text.split("\n")) {
    // A sequence in a sequence needs no indentation: `- - - x`.
    const compact = /^[\s\-?:]*/.exec(line)?.[0].replace(/\s+/g, "").length ?? 0;
    for (const character of line) {
      if (character === "[" || character === "{") open++;
      else if (character === "]" || character === "}") open = Math.max(0, open - 1);
      deepest = Math.max(deepest, open + compact);
    }
  }
  return deepest;
}

/** Names stand for one thing each within their scope. */
function repeatedNames({ attestations, artifacts }: Template): Record<string, string> {
  return Object.fromEntries([
    ...repeats(attestations, "trail.attestations"),
    ...repeats(artifacts, "trail.artifacts"),
    ...artifacts.flatMap((artifact, i) =>
      repeats(artifact.attestations, `trail.artifacts[${i}].attestations`),
    ),
  ]);
}

function repeats(items: readonly { name: string }[], field: string): [string, string][] {
  const seen = new Set<string>();
  return items.flatMap(({ name }, i) => {
    if (seen.has(name)) return [[`${field}[${i}].name`, `Names must be unique [input: ${name}]`]];
    seen.add(name);
    return [];
  });
}
