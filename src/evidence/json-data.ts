import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { keepDigits } from "../api/exact-numbers.ts";
import { MAX_JSON_PART_BYTES } from "../api/operation.ts";
import { findJsonFault } from "./json-syntax.ts";
import { unusableFile } from "./unusable-path.ts";
import { checkPath, openWorkspace } from "./workspace.ts";

export interface JsonDataOptions {
  readonly input: string;
  /** Base of paths, which must stay inside. */
  readonly workspace: string;
}

export type JsonData = Record<string, unknown> | unknown[];

/**
 * JSON data (it starts with `{` or `[`) or the path of a JSON file. Numbers keep their digits: `JSON.stringify` writes
 * `1.10` or a 64-bit integer unchanged.
 *
 * @throws InputError for `input`, with line and column, for an unusable file or anything but an object or list
 */
export async function readJsonData(text: string, { input, workspace }: JsonDataOptions): Promise<JsonData> {
  if (/^\ufeff?[ \t\r\n]*[{[]/.test(text)) return parseJsonData(text, input);
  const path = text.trim();
  if (path === "") throw new InputError([{ input, problem: "is empty" }]);
  const given = await readJsonFile(path, workspace);
  if ("problem" in given) throw unusableFile(input, given.problem);
  return parseJsonData(given.json, input, path);
}

/** @param path for messages */
export function parseJsonData(json: string, input: string, path?: string): JsonData {
  const fault = findJsonFault(json);
  if (fault !== undefined) {
    const { line, column, problem } = fault;
    const place = path === undefined ? "" : `'${path}', `;
    const found = path === undefined ? {} : { place: { file: path, line } };
    throw new InputError([
      { input, problem: `${place}line ${line}, column ${column}: the JSON ${problem}`, ...found },
    ]);
  }
  const data = JSON.parse(json, keepDigits);
  if (isData(data)) return data;
  const subject = path === undefined ? "" : `'${path}' `;
  throw new InputError([
    { input, problem: `${subject}must contain a JSON object or array, not a single value` },
  ]);
}

function isData(value: unknown): value is JsonData {
  return typeof value === "object" && value !== null && !JSON.isRawJSON(value);
}

async function readJsonFile(
  path: string,
  workspace: string,
): Promise<{ json: string } | { problem: string }> {
  const checked = checkPath(resolve(workspace, path), await openWorkspace(workspace));
  if ("problem" in checked) {
    const meaning = "use JSON that starts with { or [, or the path of a JSON file";
    return { problem: checked.missing ? `${checked.problem}; ${meaning}` : checked.problem };
  }
  if (checked.stats.isDirectory()) return { problem: `'${path}' is a directory, not a JSON file` };
  if (checked.stats.size > MAX_JSON_PART_BYTES) {
    return { problem: `'${path}' has ${checked.stats.size} bytes; the limit is ${MAX_JSON_PART_BYTES}` };
  }
  const bytes = await readFile(checked.realPath);
  try {
    return { json: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: `'${path}' is not UTF-8 text` };
  }
}
