import { writeFile } from "node:fs/promises";
import { call } from "../api/client/call.ts";
import { fileIn, operationNamed, requestFor, wireBody } from "../api/client/invoke.ts";
import type { FileAnswer, OperationShape } from "../api/operation.ts";
import { operations } from "../api/resources/operations.ts";
import { openFileToSend, readTextFile } from "../evidence/file-to-send.ts";
import { parseStructured } from "../evidence/structured-data.ts";
import { CONNECTION_OPTIONS, openConnection } from "./connection-options.ts";
import { tellInterrupts } from "./long-command.ts";
import { options, parse, type Terminal, UsageError } from "./usage.ts";

const OPTIONS = { ...options(["body", "output"], [], ["list"]), ...CONNECTION_OPTIONS };

export async function callCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args, OPTIONS, Number.POSITIVE_INFINITY);
  if (values.list) {
    terminal.print(operationTable());
    return 0;
  }
  const [name, ...pairs] = positionals;
  if (name === undefined) throw new UsageError("Say which operation to call (call --list shows them)");
  const operation = operationNamed(name);
  // Without an organization in the path, the key implies it.
  const defaultOrg = operation.path.includes("{org}") ? undefined : "unnamed";
  await using connection = await openConnection(values, terminal, defaultOrg);
  const request = await requestFor(operation, {
    params: parameters(pairs),
    body: values.body === undefined ? undefined : await readBody(values.body, terminal),
    // A typed path is intended, wherever it leads.
    openFile: (path, part) => openFileToSend(path, { input: part, workspace: ".", allowOutside: true }),
  });
  using _ = tellInterrupts(terminal);
  const reply = await call(connection, operation, request);
  for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
  const file = fileIn(operation, reply.body);
  if (file) await deliver(file, values.output, terminal);
  else terminal.print(JSON.stringify(wireBody(operation, reply.status, reply.body), null, 2));
  return 0;
}

async function deliver(file: FileAnswer, path: string | undefined, terminal: Terminal): Promise<void> {
  if (path === undefined) terminal.write(file.content);
  else await writeFile(path, file.content);
}

function parameters(pairs: readonly string[]): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`'${pair}' is not a parameter: write it as name=value`);
    const name = pair.slice(0, at);
    values[name] = [...(values[name] ?? []), pair.slice(at + 1)];
  }
  return values;
}

async function readBody(path: string, { readInput }: Terminal): Promise<unknown> {
  const input = "body";
  if (path === "-") return parseStructured(await readInput(), { input });
  const text = await readTextFile(path, { input, workspace: ".", allowOutside: true });
  return parseStructured(text, { input, path });
}

function operationTable(): string {
  const rows = Object.values<OperationShape>(operations);
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`).join("\n");
}
