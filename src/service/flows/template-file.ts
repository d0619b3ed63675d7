import { listIssues } from "../../api/validation.ts";
import { type Template, templateFile, templateOfFile } from "../judging/compliance/template.ts";
import { readYaml, YamlError } from "../kernel/yaml-text.ts";

/** A field of a template file with what is wrong with it. The empty name stands for the file as a whole. */
export type TemplateProblem = readonly [field: string, text: string];

/** All that is wrong with a template file. A field may be wrong in several ways. */
export class TemplateError extends Error {
  readonly problems: readonly TemplateProblem[];

  constructor(problems: readonly TemplateProblem[]) {
    super(problems.map(([, text]) => text).join("; "));
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
  if (!result.success) throw new TemplateError(listIssues(result.error.issues, content, { root: "" }));
  const template = templateOfFile(result.data);
  const problems = repeatedNames(template);
  if (problems.length > 0) throw new TemplateError(problems);
  return template;
}

function parseYaml(text: string): unknown {
  try {
    return readYaml(text, "A template").content;
  } catch (error) {
    throw error instanceof YamlError ? new TemplateError([["", error.message]]) : error;
  }
}

/** Names stand for one thing each within their scope. */
function repeatedNames({ attestations, artifacts }: Template): TemplateProblem[] {
  return [
    ...repeats(attestations, "trail.attestations"),
    ...repeats(artifacts, "trail.artifacts"),
    ...artifacts.flatMap((artifact, i) =>
      repeats(artifact.attestations, `trail.artifacts[${i}].attestations`),
    ),
  ];
}

function repeats(items: readonly { name: string }[], field: string): TemplateProblem[] {
  const seen = new Set<string>();
  return items.flatMap(({ name }, i) => {
    if (seen.has(name)) return [[`${field}[${i}].name`, `Names must be unique [input: ${name}]`]];
    seen.add(name);
    return [];
  });
}
