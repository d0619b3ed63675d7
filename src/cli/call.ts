import { isUtf8 } from "node:buffer";
import { writeFile } from "node:fs/promises";
import { call } from "../api/client/call.ts";
import { fileIn, operationNamed, requestFor, wireBody } from "../api/client/invoke.ts";
import type { FileAnswer } from "../api/files.ts";
import type { OperationShape } from "../api/operation.ts";
import { operations } from "../api/resources/operations.ts";
import { openFileToSend, readTextFile } from "../evidence/file-to-send.ts";
import { parseStructured } from "../evidence/structured-data.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import { tellInterrupts } from "./interrupts.ts";
import { columns } from "./layout.ts";
import { printTable } from "./tables.ts";
import { type Given, type Terminal, UsageError } from "./usage.ts";

export async function callCommand(
  { values, positionals }: Given<typeof COMMANDS.call>,
  terminal: Terminal,
): Promise<number> {
  if (values.list) {
    terminal.print(operationTable(values.output));
    return 0;
  }
  const [name = "", ...pairs] = positionals;
  const operation = operationNamed(name, "options");
  // Without an organization in the path, the key implies it.
  const defaultOrg = operation.path.includes("{org}") ? undefined : "unnamed";
  await using connection = await openConnection(values, terminal, defaultOrg);
  const request = await requestFor(operation, {
    params: parameters(pairs),
    body: values.body === undefined ? undefined : await readBody(values.body, terminal),
    // A typed path is intended, wherever it leads.
    openFile: (path, part) => openFileToSend(path, { input: part, workspace: ".", allowOutside: true }),
    naming: "options",
  });
  using _ = tellInterrupts(terminal);
  const reply = await call(connection, operation, request);
  for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
  const file = fileIn(operation, reply.body);
  if (file) {
    await deliver(file, values["output-file"], terminal);
    return 0;
  }
  const body = wireBody(operation, reply.status, reply.body);
  if (values.output === "table") printTable(body, terminal);
  else terminal.print(JSON.stringify(body, null, 2));
  return 0;
}

/** @throws {UsageError} for binary content and a terminal */
async function deliver({ content }: FileAnswer, path: string | undefined, terminal: Terminal): Promise<void> {
  if (path !== undefined) return writeFile(path, content);
  if (terminal.printsToTerminal && (!isUtf8(content) || content.includes(0))) {
    throw new UsageError(
      "The response is a binary file, which is not printed to a terminal. Save it with --output-file FILE",
    );
  }
  terminal.write(content);
}

function parameters(pairs: readonly string[]): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`Parameters must be NAME=VALUE, got '${pair}'`);
    const name = pair.slice(0, at);
    values[name] = [...(values[name] ?? []), pair.slice(at + 1)];
  }
  return values;
}

async function readBody(path: string, { readInput }: Terminal): Promise<unknown> {
  const input = "--body";
  if (path === "-") return parseStructured(await readInput(), { input });
  const text = await readTextFile(path, { input, workspace: ".", allowOutside: true });
  return parseStructured(text, { input, path });
}

/** In `--output json` with method and path. */
function operationTable(output: "table" | "json" | undefined): string {
  const listed = Object.values<OperationShape>(operations);
  if (output !== "json") return columns(listed.map(({ name, summary }) => [name, summary]));
  const rows = listed.map(({ name, method, path, summary }) => ({ name, method, path, summary }));
  return JSON.stringify(rows, null, 2);
}
