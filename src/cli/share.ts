import { call } from "../api/client/call.ts";
import { createShareLink, SHARED } from "../api/resources/share-links.ts";
import { CONNECTION_OPTIONS, openConnection } from "./connection-options.ts";
import { day, futureTime, options, parse, type Terminal, UsageError } from "./usage.ts";

const OPTIONS = { ...options(["until", "for"]), ...CONNECTION_OPTIONS };

/** Default lifetime of a link in seconds. */
const DEFAULT_SECONDS = 30 * 24 * 60 * 60;

type Kind = (typeof SHARED)[number];

/** Arguments of each kind. */
const WORDS: Readonly<Record<Kind, string>> = {
  trail: "FLOW TRAIL",
  artifact: "FLOW FINGERPRINT",
  environment: "ENVIRONMENT",
  badge: "FLOW",
};

export async function share(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args, OPTIONS, 3);
  const [kind, place, name] = positionals;
  if (kind === undefined || !isKind(kind)) {
    throw new UsageError(`Say what to show: share ${SHARED.join(", share ")} (--help shows how)`);
  }
  if (place === undefined || positionals.length !== WORDS[kind].split(" ").length + 1) {
    throw new UsageError(`Say which ${kind} to show: share ${kind} ${WORDS[kind]}`);
  }
  const expiresAt =
    values.until === undefined ? Date.now() / 1000 + DEFAULT_SECONDS : futureTime(values.until);
  await using connection = await openConnection(values, terminal);
  const body = { kind, place, name: name ?? null, description: values.for ?? "", expiresAt };
  const reply = await call(connection, createShareLink, { body });
  for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
  terminal.print(reply.body.url);
  terminal.note(`It works until ${day(reply.body.expiresAt)}; its id is ${reply.body.id}`);
  return 0;
}

function isKind(word: string): word is Kind {
  return SHARED.some((kind) => kind === word);
}
