import { call } from "../api/client/call.ts";
import { connect } from "../api/client/connection.ts";
import { createShareLink, SHARED } from "../api/resources/share-links.ts";
import { CONNECTION_OPTIONS, connectionOptions } from "./connection-options.ts";
import { futureTime, parse, type Terminal, UsageError } from "./usage.ts";

const OPTIONS = { until: { type: "string" }, for: { type: "string" }, ...CONNECTION_OPTIONS } as const;

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
  const connection = connect(await connectionOptions(values, terminal));
  try {
    const body = { kind, place, name: name ?? null, description: values.for ?? "", expiresAt };
    const reply = await call(connection, createShareLink, { body });
    for (const warning of reply.warnings) terminal.note(`warning: ${warning}`);
    terminal.print(reply.body.url);
    terminal.note(
      `It works until ${new Date(reply.body.expiresAt * 1000).toISOString().slice(0, 10)}; its id is ${reply.body.id}`,
    );
    return 0;
  } finally {
    await connection.close();
  }
}

function isKind(word: string): word is Kind {
  return SHARED.some((kind) => kind === word);
}
