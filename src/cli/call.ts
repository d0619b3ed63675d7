import { writeFile } from "node:fs/promises";
import { call } from "../api/call.ts";
import { type ConnectionOptions, connect, REGIONS, type Region } from "../api/connection.ts";
import { fileIn, operationNamed, requestFor, wireBody } from "../api/invoke.ts";
import type { FileAnswer, OperationShape } from "../api/operation.ts";
import { operations } from "../api/operations.ts";
import { openFileToSend, readTextFile } from "../evidence/file-to-send.ts";
import { parseStructured } from "../evidence/structured-data.ts";
import { given, parse, type Terminal, UsageError } from "./usage.ts";

const OPTIONS = {
  body: { type: "string" },
  output: { type: "string" },
  list: { type: "boolean" },
  org: { type: "string" },
  region: { type: "string" },
  "base-url": { type: "string" },
  timeout: { type: "string" },
  retries: { type: "string" },
  "auth-scheme": { type: "string" },
  "allow-http": { type: "boolean" },
} as const;

type Values = ReturnType<typeof parse<typeof OPTIONS>>["values"];

/** Calls one operation of a service and prints its answer. */
export async function callCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args, OPTIONS, Number.POSITIVE_INFINITY);
  if (values.list) {
    terminal.print(operationTable());
    return 0;
  }
  const [name, ...pairs] = positionals;
  if (name === undefined) throw new UsageError("Say which operation to call (call --list shows them)");
  const operation = operationNamed(name);
  const options = connectionOptions(operation, values, terminal);
  const request = await requestFor(operation, {
    params: parameters(pairs),
    body: values.body === undefined ? undefined : await readBody(values.body, terminal),
    // Who types a path means it, wherever it leads.
    openFile: (path, part) => openFileToSend(path, { input: part, workspace: ".", allowOutside: true }),
  });
  const connection = connect(options);
  try {
    const reply = await call(connection, operation, request);
    for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
    const file = fileIn(operation, reply.body);
    if (file) await deliver(file, values.output, terminal);
    else terminal.print(JSON.stringify(wireBody(operation, reply.status, reply.body), null, 2));
    return 0;
  } finally {
    await connection.close();
  }
}

/** A file goes where it was asked to go, else to the standard output as it is. */
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

function connectionOptions(
  operation: OperationShape,
  values: Values,
  { environment, note }: Terminal,
): ConnectionOptions {
  const apiKey = given(environment, "EVIDENCE_API_KEY");
  if (apiKey === undefined) throw new UsageError("Set EVIDENCE_API_KEY to the API key of an account");
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  if (org === undefined && operation.path.includes("{org}")) {
    throw new UsageError("Say whose evidence it is: --org NAME or EVIDENCE_ORG");
  }
  const region = values.region ?? given(environment, "EVIDENCE_REGION");
  const baseUrl = values["base-url"] ?? given(environment, "EVIDENCE_BASE_URL");
  const scheme = values["auth-scheme"];
  if (region !== undefined && !isRegion(region)) {
    throw new UsageError(`'${region}' is not a region: ${Object.keys(REGIONS).join(" and ")} are`);
  }
  if (scheme !== undefined && scheme !== "bearer" && scheme !== "basic") {
    throw new UsageError(`'${scheme}' is not a scheme: bearer and basic are`);
  }
  return {
    apiKey,
    // Where the path holds none, the key tells whose it is.
    org: org ?? "unnamed",
    ...(region !== undefined && { region }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(scheme !== undefined && { authScheme: scheme }),
    ...(values.timeout !== undefined && { timeout: numberOf(values.timeout) }),
    ...(values.retries !== undefined && { retries: numberOf(values.retries) }),
    ...(values["allow-http"] && { allowHttp: true }),
    proxyVariables: environment,
    onRetry: ({ attempt, attempts, reason }) => note(`attempt ${attempt} of ${attempts} failed: ${reason}`),
  };
}

function isRegion(text: string): text is Region {
  return Object.hasOwn(REGIONS, text);
}

/** What is no number is refused with the other limits. */
function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

function operationTable(): string {
  const rows = Object.values<OperationShape>(operations);
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`).join("\n");
}
