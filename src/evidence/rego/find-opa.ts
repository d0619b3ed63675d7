import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { PolicyFault } from "./verdict.ts";

const NAMES = ["opa", "opa.exe"];

/**
 * Finds opa: the given path, else on the PATH, else in the tool cache of a runner.
 *
 * @param from `given` is relative to the working folder
 * @throws {PolicyFault} (`engine`) if there is none
 */
export function findOpa(from: {
  readonly given: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): string {
  if (from.given !== undefined) return resolve(from.given);
  const { PATH = "", RUNNER_TOOL_CACHE } = from.environment;
  const cache = RUNNER_TOOL_CACHE ? versionsIn(join(RUNNER_TOOL_CACHE, "opa")) : [];
  const folders = [...PATH.split(delimiter).filter(Boolean), ...cache];
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
  if (found !== undefined) return found;
  const message =
    "opa was not found. In a workflow, add a step with `uses: open-policy-agent/setup-opa` before this one. " +
    "Elsewhere, install opa 1.0 or newer on the PATH, or set `opa-path`";
  throw new PolicyFault("engine", [{ message }]);
}

/** The folders `VERSION/ARCHITECTURE` of a tool, newest version first. */
function versionsIn(tool: string): string[] {
  const newestFirst = new Intl.Collator("en", { numeric: true }).compare;
  return namesIn(tool)
    .sort((a, b) => newestFirst(b, a))
    .flatMap((version) => namesIn(join(tool, version)).map((name) => join(tool, version, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
