import { readFile } from "node:fs/promises";
import { parseTemplate, TemplateError, type TemplateProblem } from "../../flows/template-file.ts";
import { Invalid, invalidInput } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/json-text.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import type { WrittenTemplate } from "./records.ts";

const PART = "template_file";

/** How a template that cannot be used is refused. */
type RefuseTemplate = (problems: readonly TemplateProblem[]) => Invalid;

/** Refused as any other wrong input. */
export const asInvalidInput: RefuseTemplate = (problems) => invalidInput(firstOfEach(problems));

/** Refused the way that `begin trail` does, with the problems in the message as well. */
export const asTemplateErrors: RefuseTemplate = (problems) => {
  const count = problems.length === 1 ? "1 validation error" : `${problems.length} validation errors`;
  const lines = problems.map(([field, text]) => `${field}\n  ${text}`);
  return new Invalid(`${count} for Template\n${lines.join("\n")}`, firstOfEach(problems));
};

function firstOfEach(problems: readonly TemplateProblem[]): Record<string, string> {
  const byField = Map.groupBy(problems, ([field]) => field);
  return Object.fromEntries([...byField].map(([field, [first]]) => [field, first?.[1] ?? ""]));
}

/**
 * The template that was sent as a file; nothing when none was.
 *
 * @throws Invalid
 */
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
