import { onTestFinished } from "vitest";
import * as stalling from "../../scripts/bench/stalling-servers.ts";

/** A server of this stage, until the test ends. */
async function untilTheEnd(start: () => Promise<stalling.StallingServer>): Promise<stalling.StallingServer> {
  const server = await start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** Stages at which a service can stall. */
export const STAGES = Object.fromEntries(
  Object.entries(stalling.STAGES).map(([stage, start]) => [stage, () => untilTheEnd(start)]),
);

/** Reads nothing, so that an upload stalls. */
export function notReading(): Promise<stalling.StallingServer> {
  return untilTheEnd(stalling.notReading);
}
