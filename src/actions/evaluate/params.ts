import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { isObject, type Untyped } from "../../api/untyped.ts";
import { parseStructured } from "../../evidence/structured-data.ts";
import { unusableFile } from "../../evidence/unusable-path.ts";
import { checkPath, openWorkspace } from "../../evidence/workspace.ts";

const INPUT = "params";

/**
 * Reads the params of a policy: an object as JSON or YAML, or the path of a file with one.
 *
 * @throws {InputError} (`params`) for anything else
 */
export async function readParams(given: string | undefined, workspace: string): Promise<Untyped> {
  if (given === undefined) return {};
  // No such line can be an object, so it is a path.
  const isPath = !/[{[\n]|:(?:\s|$)/.test(given.trim());
  const text = isPath ? await textOf(given.trim(), workspace) : given;
  const params = await parseStructured(text, { input: INPUT, path: isPath ? given.trim() : undefined });
  if (isObject(params) && !JSON.isRawJSON(params)) return params;
  const subject = isPath ? `'${given.trim()}' ` : "";
  throw new InputError([
    { input: INPUT, problem: `${subject}must contain an object, such as 'severity: high'` },
  ]);
}

async function textOf(path: string, directory: string): Promise<string> {
  const checked = checkPath(resolve(directory, path), await openWorkspace(directory));
  if ("problem" in checked) {
    const meaning = "use an object as YAML or JSON, or the path of a file with one";
    throw unusableFile(INPUT, checked.missing ? `${checked.problem}; ${meaning}` : checked.problem);
  }
  if (checked.stats.isDirectory()) throw unusableFile(INPUT, `'${checked.shown}' is a directory`);
  return await readFile(checked.realPath, "utf8");
}
