import request from "undici/lib/api/api-request.js";
import { Deadline } from "../../../net/deadline.ts";
import type { GuardedAgent } from "./guarded-agent.ts";
import { checkTarget } from "./target-address.ts";

/** How long all of a request may take. */
const DEADLINE_SECONDS = 5;
const MOST_BYTES = 256 * 1024;

/**
 * Gets a small JSON document from where notifications may go too. Redirects are not followed.
 *
 * @throws Error whatever goes wrong, with the address in its message
 */
export async function getJson(agent: GuardedAgent, url: string): Promise<unknown> {
  const problem = checkTarget(url, agent.rules);
  if (problem !== undefined) throw new Error(`${url} is not asked: ${problem.message}`);
  try {
    return JSON.parse(await textAt(agent, new URL(url)));
  } catch (cause) {
    throw new Error(`${url} cannot be read`, { cause });
  }
}

async function textAt({ dispatcher }: GuardedAgent, { origin, pathname, search }: URL): Promise<string> {
  using deadline = new Deadline(DEADLINE_SECONDS);
  const { statusCode, body } = await request.call(dispatcher, {
    origin,
    path: pathname + search,
    method: "GET",
    headers: { accept: "application/json" },
    signal: deadline.signal,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`It answered with more than ${MOST_BYTES / 1024} KB`);
    chunks.push(Buffer.from(chunk));
  }
  if (statusCode !== 200) throw new Error(`It answered ${statusCode}`);
  return Buffer.concat(chunks).toString("utf8");
}
