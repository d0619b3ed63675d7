import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { keepDigits } from "../api/exact-numbers.ts";
import { MAX_JSON_PART_BYTES } from "../api/operation.ts";
import { findJsonFault } from "./json-syntax.ts";
import { checkPath, openWorkspace } from "./workspace.ts";

export interface JsonDataOptions {
  /** The input the text came from, for messages. */
  readonly input: string;
  /** What paths are relative to, and what they may not lead out of. */
  readonly workspace: string;
}

/** A JSON object or array. */
export type JsonData = Record<string, unknown> | unknown[];

/**
 * Data given as JSON (it starts with `{` or `[`) or as the path of a JSON file. Numbers keep their digits: `1.10` or a
 * 64-bit integer becomes a value that `JSON.stringify` writes as it was.
 *
 * @throws InputError, under the name of `input`, when the file cannot be used or the text is not a JSON object or
 * array; with line and column where the text breaks the rules.
 */
export async function readJsonData(text: string, { input, workspace }: JsonDataOptions): Promise<JsonData> {
  if (/^\ufeff?[ \t\r\n]*[{[]/.test(text)) return parseJsonData(text, input);
  const path = text.trim();
  if (path === "") throw new InputError([{ input, problem: "is empty" }]);
  const given = await readJsonFile(path, workspace);
  if ("problem" in given) throw new InputError([{ input, problem: given.problem }]);
  return parseJsonData(given.json, input, path);
}

/** Parses text that was read already; `path` is where it was, for messages. */
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
  const holder = path === undefined ? "" : `'${path}' `;
  throw new InputError([{ input, problem: `${holder}must hold a JSON object or array, not a single value` }]);
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
    const meaning = "it should be JSON that starts with { or [, or the path of a JSON file";
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
