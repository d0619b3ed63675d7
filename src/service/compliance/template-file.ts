import { describeIssues } from "../../api/validation.ts";
import { readYaml, YamlError } from "../yaml-text.ts";
import { type Template, templateFile, templateOfFile } from "./template.ts";

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
  try {
    return readYaml(text, "A template").content;
  } catch (error) {
    throw error instanceof YamlError ? new TemplateError({ "": error.message }) : error;
  }
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
