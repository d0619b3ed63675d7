import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { ERROR_CODES } from "../../../src/api/error-codes.ts";
import { FP, pipeline } from "../requests.ts";
import { firstSweep, startTestService, type TestService } from "../running-service.ts";
import { type RawAnswer, type RawRequest, sendRaw } from "./raw-request.ts";

/** One hostile request. */
export interface Attempt {
  title: string;
  request: RawRequest;
  /** Whether it must be refused. Otherwise it only must do no harm. */
  refused: boolean;
}

const AT_A_TIME = 8;
/** Maximum number of failures shown per operation. */
const SHOWN = 10;

/** A service that contains one of each record that the sample requests name. */
export interface Target extends TestService {
  /** Counts the rows of every table. */
  countRows(): Record<string, unknown>;
}

export async function startTarget(): Promise<Target> {
  const service = await startTestService();
  await firstSweep(service);
  const { flow, trail, artifact, attest, environment, report } = pipeline(service, service.keys.admin);
  const prepared = [
    await flow("sample"),
    await trail("sample", "sample"),
    await artifact("sample", "sample"),
    await attest("sample", "sample", { attestation_name: "sample" }),
    await environment("sample"),
    await report("sample", [
      { podName: "p", namespace: "n", digests: { web: FP }, creationTimestamp: 1, owners: [] },
    ]),
  ];
  expect(prepared.map(({ status }) => status)).toEqual(prepared.map(() => expect.toBeOneOf([200, 201])));
  const database = await openRecordsOf(service);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  // The results of deliveries and the evidence log are written in the background.
  const compared = tables.filter(({ name }) => !/^(notification_attempts|logs|log_\w+)$/.test(String(name)));
  const columns = compared.map(({ name }) => `(SELECT count(*) FROM "${name}") AS "${name}"`);
  const counts = database.prepare(`SELECT ${columns.join()}`);
  return {
    ...service,
    countRows: () => ({ ...counts.get() }),
    dispose() {
      database.close();
      return service.dispose();
    },
  };
}

async function openRecordsOf({ dataFolder }: TestService): Promise<DatabaseSync> {
  const [file = ""] = (await readdir(dataFolder)).filter((name) => name.endsWith(".sqlite"));
  return new DatabaseSync(join(dataFolder, file), { readOnly: true });
}

/**
 * Sends every attempt. Attempts that must be refused come first, together: each is answered with a 4xx and the reason,
 * and none of them leaves anything behind. Then the service still answers.
 */
export async function expectNoHarm(service: Target, attempts: readonly Attempt[]): Promise<void> {
  const before = await storedBy(service);
  const wrong = await failures(
    service,
    attempts.filter(({ refused }) => refused),
  );
  expect(wrong).toEqual([]);
  expect(await storedBy(service)).toEqual(before);
  expect(
    await failures(
      service,
      attempts.filter(({ refused }) => !refused),
    ),
  ).toEqual([]);
  expect((await sendRaw(service.address, { method: "GET", target: "/ready" })).status).toBe(200);
}

/** The attempts with a wrong response, and the fault. */
async function failures(service: TestService, attempts: readonly Attempt[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = attempts.values();
  const worker = async () => {
    for (const { title, request, refused } of waiting) {
      const problem = await sendRaw(service.address, request).then(
        (answer) => problemOf(answer, refused, service),
        (error: unknown) => String(error),
      );
      if (problem !== undefined) found.push(`${title}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return found.length > SHOWN ? [...found.slice(0, SHOWN), `and ${found.length - SHOWN} more`] : found;
}

/** Text that no response may contain: keys, source locations, file names of the machine. */
const LEAKS = /det?_[\w-]{43}|\n {4}at |\.[jt]s:\d+|node:internal|node_modules|SQLITE|kysely/i;

function problemOf({ status, text }: RawAnswer, refused: boolean, service: TestService): string | undefined {
  const answer = `${status} ${text.slice(0, 200)}`;
  if (status >= 500) return `${answer}, logged: ${logged(service, text)}`;
  if (refused && status < 400) return `taken: ${answer}`;
  if (status >= 300 && status < 400) return `redirected: ${answer}`;
  if (status >= 400 && !isErrorBody(text)) return `not an error body: ${answer}`;
  if (status >= 400 && (LEAKS.test(text) || text.includes(service.dataFolder)))
    return `says too much: ${text}`;
  return undefined;
}

/** The log lines of a response that names its request. */
function logged(service: TestService, text: string): string | undefined {
  const id = /request id ([\w-]+)/.exec(text)?.[1] ?? "";
  return service.logged.find((line) => line.includes(id))?.slice(0, 600);
}

function isErrorBody(text: string): boolean {
  const { code, message, errors = {}, ...others } = jsonObject(text);
  return (
    ERROR_CODES.some((known) => known === code) &&
    typeof message === "string" &&
    message !== "" &&
    typeof errors === "object" &&
    errors !== null &&
    !Array.isArray(errors) &&
    Object.values(errors).every((error) => typeof error === "string") &&
    Object.keys(others).length === 0
  );
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Number of rows of every table, and the stored files. The evidence log makes its key and checkpoint when it can. */
async function storedBy({ dataFolder, countRows }: Target): Promise<Record<string, unknown>> {
  const files = await readdir(join(dataFolder, "files"), { recursive: true });
  return {
    ...countRows(),
    files: files.filter((name) => !/checkpoint-|^\./.test(name)).sort(),
    incoming: await readdir(join(dataFolder, "incoming")),
    folder: (await readdir(dataFolder)).filter((name) => name !== "secret.key").sort(),
  };
}
