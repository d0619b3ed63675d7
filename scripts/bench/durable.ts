import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPostgres } from "../../test/postgres/server.ts";
import { type LocalService, type ServiceRecords, startLocalService } from "./local-service.ts";
import type { Measured, Measurements } from "./rows.ts";

const PROGRAM = fileURLToPath(new URL("load-program.ts", import.meta.url));
export const CLIENTS = 32;
const SECONDS = 8;

/** The result of a load test. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
}

/** Durable attestations per second when many clients attest at once. */
export async function durable(): Promise<Measurements<"durable">> {
  const sqlite = await loadOf([{}]);
  const server = await startPostgres();
  try {
    const one = await loadOf([{ database: await server.create("one") }]);
    const attachments = await mkdtemp(join(tmpdir(), "bench-attachments-"));
    const shared = { database: await server.create("two"), attachments };
    const two = await loadOf([shared, shared]);
    await rm(attachments, { recursive: true });
    return {
      durable: { value: sqlite.perSecond, note: `${CLIENTS} clients in another process of the same machine` },
      durableSlowest: slowest(sqlite),
      postgres: { value: one.perSecond, note: "a server with default settings, on the same machine" },
      postgresSlowest: slowest(one),
      twoInstances: {
        value: two.perSecond / one.perSecond,
        note: `${two.perSecond.toFixed(0)}/s, p99 ${two.p99.toFixed(0)} ms`,
      },
    };
  } finally {
    await server.dispose();
  }
}

/**
 * Puts load on instances of the service, which share the clients.
 *
 * @param prepare called with each instance first
 */
export async function loadOf(
  instances: readonly ServiceRecords[],
  prepare: (service: LocalService) => Promise<void> = async () => {},
): Promise<Load> {
  await using services = new AsyncDisposableStack();
  const started: LocalService[] = [];
  for (const records of instances) started.push(services.use(await startLocalService(records)));
  for (const service of started) await prepare(service);
  const [first] = started;
  if (first === undefined) throw new Error("No instance was given");
  const addresses = started.map(({ address }) => address).join();
  const { stdout } = await promisify(execFile)(process.execPath, [
    PROGRAM,
    addresses,
    first.org,
    first.apiKey,
    String(SECONDS),
  ]);
  return JSON.parse(stdout);
}

function slowest({ p99, median }: Load): Measured {
  return { value: p99, note: `median ${median.toFixed(1)} ms` };
}
