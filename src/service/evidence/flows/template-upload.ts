import { readFile } from "node:fs/promises";
import { listIssues } from "../../../api/validation.ts";
import { type Template, templateFile, templateOfFile } from "../../judging/compliance/template.ts";
import { Invalid, invalidInput } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/json-text.ts";
import { readYaml, YamlError } from "../../kernel/yaml-text.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import type { WrittenTemplate } from "./records.ts";

const PART = "template_file";

type RefuseTemplate = (problems: readonly TemplateProblem[]) => Invalid;

export const asInvalidInput: RefuseTemplate = (problems) =>
  invalidInput(firstOfEach(problems), { code: "template.invalid" });

/** An error in the format of `begin trail`, which also has the problems in the message. */
export const asTemplateErrors: RefuseTemplate = (problems) => {
  const count = problems.length === 1 ? "1 validation error" : `${problems.length} validation errors`;
  const lines = problems.map(([field, text]) => `${field}\n  ${text}`);
  return new Invalid("template.invalid", `${count} for Template\n${lines.join("\n")}`, firstOfEach(problems));
};

function firstOfEach(problems: readonly TemplateProblem[]): Record<string, string> {
  const byField = Map.groupBy(problems, ([field]) => field);
  return Object.fromEntries([...byField].map(([field, [first]]) => [field, first?.[1] ?? ""]));
}

/** @throws Invalid */
export async function readTemplate(
  file: ReceivedFile | undefined,
  refusal: RefuseTemplate,
): Promise<WrittenTemplate | undefined> {
  if (!file) return undefined;
  const source = decodeUtf8(await readFile(file.path), PART);
  try {
    return { template: parseTemplate(source), source };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw refusal(
      error.problems.map(([field, text]) => [field === "" ? PART : `${PART}.${field}`, text] as const),
    );
  }
}

/** A field and its problem. The empty field means the whole file. */
export type TemplateProblem = readonly [field: string, text: string];

/** A field may have several problems. */
export class TemplateError extends Error {
  readonly problems: readonly TemplateProblem[];

  constructor(problems: readonly TemplateProblem[]) {
    super(problems.map(([, text]) => text).join("; "));
    this.name = "TemplateError";
    this.problems = problems;
  }
}

/** @throws TemplateError */
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

/** Names must be unique within their scope. */
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
