import { readFile } from "node:fs/promises";
import type { ReceivedFile } from "../attachments.ts";
import { parseTemplate, TemplateError } from "../compliance/template-file.ts";
import { decodeUtf8 } from "../http/json-body.ts";
import { HttpError, invalidInput } from "../http-error.ts";
import type { WrittenTemplate } from "../records/flows.ts";

const PART = "template_file";

/** How a template that cannot be used is refused. */
type Refusal = (errors: Record<string, string>) => HttpError;

/** Refused as any other wrong input. */
export const asInvalidInput: Refusal = (errors) => invalidInput(errors);

/** Refused the way that `begin trail` does, with the problems in the message as well. */
export const asTemplateErrors: Refusal = (errors) => {
  const problems = Object.entries(errors).map(([field, text]) => `${field}\n  ${text}`);
  const count = problems.length === 1 ? "1 validation error" : `${problems.length} validation errors`;
  return new HttpError(400, `${count} for Template\n${problems.join("\n")}`, { errors });
};

/**
 * The template that was sent as a file; nothing when none was.
 *
 * @throws HttpError 400
 */
export async function readTemplate(
  file: ReceivedFile | undefined,
  refusal: Refusal,
): Promise<WrittenTemplate | undefined> {
  if (!file) return undefined;
  const source = decodeUtf8(await readFile(file.path), PART);
  try {
    return { template: parseTemplate(source), source };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const named = Object.entries(error.problems).map(([field, text]) => [
      field === "" ? PART : `${PART}.${field}`,
      text,
    ]);
    throw refusal(Object.fromEntries(named));
  }
}
