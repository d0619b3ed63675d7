import { onTestFinished } from "vitest";
import * as stalling from "../../scripts/bench/stalling-servers.ts";

/** A server of the stage, until the test is over. */
async function untilTheEnd(start: () => Promise<stalling.StallingServer>): Promise<stalling.StallingServer> {
  const server = await start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** The stages at which a service can stall. */
export const STAGES = Object.fromEntries(
  Object.entries(stalling.STAGES).map(([stage, start]) => [stage, () => untilTheEnd(start)]),
);

/** Takes nothing of what is sent: an upload comes to a halt. */
export function notReading(): Promise<stalling.StallingServer> {
  return untilTheEnd(stalling.notReading);
}
