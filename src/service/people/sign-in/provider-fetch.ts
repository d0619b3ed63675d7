import type { CustomFetch } from "openid-client";
import { Deadline } from "../../../net/deadline.ts";
import { exchange } from "../../../net/exchange.ts";
import type { GuardedAgent } from "../../delivery/outgoing/guarded-agent.ts";
import { checkTarget } from "../../delivery/outgoing/target-address.ts";

/** Deadline of each request to a provider. */
export const DEADLINE_SECONDS = 10;
const MOST_BYTES = 1024 * 1024;

/** The provider cannot be reached, or may not be. */
export class Unreachable extends TypeError {
  override readonly name = "Unreachable";
}

/** A `fetch` that reaches only the addresses that the agent allows. Redirects are not followed. */
export function providerFetch(agent: GuardedAgent): CustomFetch {
  return async (address, { method, headers, body }) => {
    const url = new URL(address);
    const problem = checkTarget(address, agent.rules);
    if (problem !== undefined) throw new Unreachable(`${url.origin} is not allowed: ${problem.message}`);
    using deadline = new Deadline(DEADLINE_SECONDS);
    const request = {
      ...{ method: method === "POST" ? ("POST" as const) : ("GET" as const), url, headers },
      body: body === undefined || body === null ? undefined : Buffer.from(String(body)),
    };
    const reading = { signal: deadline.signal, maxBytes: MOST_BYTES };
    const answer = await exchange(agent.connections, request, reading).catch((cause) => {
      throw new Unreachable(`${url.origin} cannot be reached`, { cause });
    });
    const sent = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => (each === undefined ? [] : [[name, each] as [string, string]])),
    );
    // A `Response` refuses a body for these.
    const content = [204, 304].includes(answer.status) ? null : new Uint8Array(answer.bytes);
    return new Response(content, { status: answer.status, headers: sent });
  };
}
