import { ApiError } from "../api/client/errors.ts";
import type { FileToSend } from "../api/files.ts";
import { withoutPattern } from "../api/pattern-words.ts";
import { dataPath, linesOf } from "../evidence/yaml-lines.ts";

/** Request part with the template. */
const PART = "template_file";

interface Complaint {
  /** Path in the template; empty for all of it. */
  readonly field: string;
  readonly text: string;
}

/**
 * Adds line numbers to a service's refusal of a template; returns any other error unchanged.
 *
 * @param input that names the template
 */
export async function withLines(error: unknown, template: FileToSend, input: string): Promise<unknown> {
  if (!(error instanceof ApiError) || error.status !== 400) return error;
  const complaints = complaintsOf(error);
  if (complaints.length === 0) return error;
  const lineOf = await linesOf(await template.content.text());
  const located = complaints.map(({ field, text }) => {
    // Invalid YAML has no fields; the message then has the line.
    const [, line = field === "" ? undefined : lineOf(dataPath(field))] = /\bline (\d+)/.exec(text) ?? [];
    return {
      line: line === undefined ? undefined : Number(line),
      text: [field, withoutPattern(text)].filter(Boolean).join(": "),
    };
  });
  const first = located.find(({ line }) => line !== undefined)?.line;
  return error.explained({
    details: located.map(
      ({ line, text }) => `${input}${line === undefined ? "" : `, line ${line}`}: ${text}`,
    ),
    place: { file: template.path ?? template.name, ...(first !== undefined && { line: first }) },
  });
}

/** Services send field errors, or a message in lines: the field, and its text indented below. */
function complaintsOf({ fieldErrors, details }: ApiError): Complaint[] {
  const fields = Object.entries(fieldErrors).filter(([field]) => /^template_file\b/.test(field));
  if (fields.length > 0) {
    return fields.map(([field, text]) => ({ field: field.slice(PART.length).replace(/^\./, ""), text }));
  }
  return details.flatMap((line, index) => {
    const text = details[index + 1] ?? "";
    return /^[a-z]\w*(?:[.[]\w+\]?)*$/.test(line) && text.startsWith("  ")
      ? [{ field: line, text: text.trim() }]
      : [];
  });
}
