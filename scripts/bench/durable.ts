import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startLocalService } from "./local-service.ts";
import type { Measurements } from "./rows.ts";

const PROGRAM = fileURLToPath(new URL("load-program.ts", import.meta.url));
export const CLIENTS = 32;
const SECONDS = 8;

/** The outcome of a load. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
}

/** How many attestations a second are durable in the service when many clients attest at once. */
export async function durable(): Promise<Measurements<"durable">> {
  await using service = await startLocalService();
  const { address, org, apiKey } = service;
  const { stdout } = await promisify(execFile)(process.execPath, [
    PROGRAM,
    address,
    org,
    apiKey,
    String(SECONDS),
  ]);
  const load: Load = JSON.parse(stdout);
  return {
    durable: { value: load.perSecond, note: `${CLIENTS} clients in another process of the same machine` },
    durableSlowest: { value: load.p99, note: `median ${load.median.toFixed(1)} ms` },
  };
}
