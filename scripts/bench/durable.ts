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

export interface Account {
  readonly org: string;
  readonly apiKey: string;
}

/** The argument of the program that puts load on a service. */
export interface LoadOptions {
  /** Addresses of the instances. */
  readonly addresses: readonly string[];
  readonly accounts: readonly Account[];
  readonly seconds: number;
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

/** Puts load on new instances of the service, which share the clients. */
async function loadOf(instances: readonly ServiceRecords[]): Promise<Load> {
  await using services = new AsyncDisposableStack();
  const started: LocalService[] = [];
  for (const records of instances) started.push(services.use(await startLocalService(records)));
  return await loadOn(started);
}

/**
 * Puts load on running instances of the service, which share the clients.
 *
 * @param accounts of the organizations that share the clients; by default the instances' own
 */
export async function loadOn(
  instances: readonly LocalService[],
  { seconds = SECONDS, accounts = instances.slice(0, 1) }: Partial<Omit<LoadOptions, "addresses">> = {},
): Promise<Load> {
  const options: LoadOptions = {
    addresses: instances.map(({ address }) => address),
    accounts: accounts.map(({ org, apiKey }) => ({ org, apiKey })),
    seconds,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(options)]);
  return JSON.parse(stdout);
}

function slowest({ p99, median }: Load): Measured {
  return { value: p99, note: `median ${median.toFixed(1)} ms` };
}
