import { Deadline } from "../../../net/deadline.ts";
import { exchange } from "../../../net/exchange.ts";
import type { GuardedAgent } from "./guarded-agent.ts";
import { checkTarget } from "./target-address.ts";

/** Deadline of the whole request. */
const DEADLINE_SECONDS = 5;
const MOST_BYTES = 256 * 1024;

/** Gets JSON from an address that notifications may reach. Redirects are not followed. @throws Error with the address */
export async function getJson(agent: GuardedAgent, url: string): Promise<unknown> {
  const problem = checkTarget(url, agent.rules);
  if (problem !== undefined) throw new Error(`${url} is not allowed: ${problem.message}`);
  try {
    return JSON.parse(await textAt(agent, new URL(url)));
  } catch (cause) {
    throw new Error(`${url} cannot be read`, { cause });
  }
}

async function textAt({ connections }: GuardedAgent, url: URL): Promise<string> {
  using deadline = new Deadline(DEADLINE_SECONDS);
  const request = { method: "GET", url, headers: { accept: "application/json" } } as const;
  const { signal } = deadline;
  const { status, bytes } = await exchange(connections, request, { signal, maxBytes: MOST_BYTES });
  if (status !== 200) throw new Error(`The server returned ${status}`);
  return bytes.toString();
}
