import { call } from "../api/client/call.ts";
import { createShareLink, SHARED } from "../api/resources/share-links.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import { day, futureTime, type Given, oneOf, type Terminal } from "./usage.ts";

/** Default lifetime of a link in seconds. */
const DEFAULT_SECONDS = 30 * 24 * 60 * 60;

export async function share(
  { values, positionals }: Given<typeof COMMANDS.share>,
  terminal: Terminal,
): Promise<number> {
  const [first = "", place = "", name] = positionals;
  const kind = oneOf(first, SHARED, "The kind of link");
  const expiresAt =
    values.until === undefined ? Date.now() / 1000 + DEFAULT_SECONDS : futureTime(values.until, "--until");
  await using connection = await openConnection(values, terminal);
  const body = { kind, place, name: name ?? null, description: values.for ?? "", expiresAt };
  const reply = await call(connection, createShareLink, { body });
  for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
  terminal.print(reply.body.url);
  terminal.note(`Created link ${reply.body.id}, which expires on ${day(reply.body.expiresAt)}`);
  return 0;
}
