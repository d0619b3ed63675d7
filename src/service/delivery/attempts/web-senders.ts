import type { KeyObject } from "node:crypto";
import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import type { SecretBox } from "../../operation/context.ts";
import { GITHUB_HEADERS, githubDispatch } from "../messages/github.ts";
import { slackMessage, slackVerdict } from "../messages/slack.ts";
import { teamsMessage } from "../messages/teams.ts";
import { guardedAgent } from "../outgoing/guarded-agent.ts";
import { type SendResult, sendRequest } from "../outgoing/send-request.ts";
import { readSigningKey, signedHeaders } from "../outgoing/signature.ts";
import { githubTokenProblem, type TargetOptions } from "../outgoing/target-address.ts";
import { bodyOf } from "../rules/deliveries.ts";
import { openedAddress, openedIn } from "../rules/secrets.ts";
import type { Delivery, Send, Sent } from "./attempt.ts";

const JSON_TYPE = { "content-type": "application/json" };
const GONE = 410;
const UNPROCESSABLE = 422;
/** Headers that are not stored, because they would let a reader impersonate the service. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(["authorization", "webhook-signature"]);

/** Without a token GitHub answers 404. */
const WITHOUT_TOKEN: Sent = {
  delivered: false,
  outcome: "no_token",
  status: null,
  requestHeaders: {},
  answer:
    "GitHub requires a token to start workflows, and no readable token is stored. Set one with setTargetToken",
};

const WITHOUT_ADDRESS: Sent = {
  ...WITHOUT_TOKEN,
  outcome: "no_address",
  answer:
    "The address is encrypted with a key that the service does not have. Start the service with the former key, or save the rule again",
};

interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function openWebSenders({
  outgoing,
  secrets,
  now,
}: {
  outgoing: TargetOptions;
  secrets: SecretBox;
  now: () => number;
}) {
  const agent = guardedAgent(outgoing);
  const headersOf = signer(secrets, now);
  const post = async ({ target }: Delivery, { headers, body }: Posted): Promise<SendResult & Posted> => {
    const result = await sendRequest({ agent, url: target.address, headers, body });
    return { ...result, headers, body };
  };

  const webhook: Send = async (delivery) => {
    const body = bodyOf(delivery.event);
    const headers = { ...JSON_TYPE, ...headersOf(delivery, body) };
    return sentBy(await post(delivery, { headers, body }));
  };
  const slack: Send = async (delivery) => {
    const body = JSON.stringify(slackMessage(payloadsOf(delivery)));
    const result = await post(delivery, { headers: JSON_TYPE, body });
    if (result.status === undefined) return sentBy(result);
    const { outcome, word } = slackVerdict(result.status, result.answer);
    return {
      ...sentBy(result),
      ...(outcome === "ended" && {
        endsTarget: `Slack returned ${word}: the webhook accepts no more messages`,
      }),
      ...(outcome === "failed" && { final: true }),
    };
  };
  const teams: Send = async (delivery) => {
    const body = JSON.stringify(teamsMessage(payloadsOf(delivery)));
    return sentBy(await post(delivery, { headers: JSON_TYPE, body }));
  };
  const github: Send = async (delivery) => {
    const { id, token, address } = delivery.target;
    const problem = githubTokenProblem(address, agent.rules);
    if (problem !== undefined) return { ...WITHOUT_TOKEN, answer: problem };
    const body = JSON.stringify(githubDispatch(payloadOf(delivery)));
    const opened = openedIn(secrets, id, token);
    if (opened === undefined) return WITHOUT_TOKEN;
    const headers = { ...JSON_TYPE, ...GITHUB_HEADERS, authorization: `Bearer ${opened}` };
    const sent = sentBy(await post(delivery, { headers, body }));
    // The response is stored and may repeat the token.
    const answer = sent.answer?.replaceAll(opened, "***") ?? null;
    return { ...sent, answer, ...(sent.status === UNPROCESSABLE ? { final: true } : {}) };
  };
  const opening =
    (send: Send): Send =>
    async (delivery) => {
      const address = openedAddress(delivery.target, secrets);
      if (address === undefined) return WITHOUT_ADDRESS;
      const sent = await send({ ...delivery, target: { ...delivery.target, address } });
      return { ...sent, answer: sent.answer && withoutAddress(sent.answer, address) };
    };
  return {
    webhook: opening(webhook),
    slack: opening(slack),
    teams: opening(teams),
    github: opening(github),
    close: () => agent.close(),
  };
}

/** Minimum length of a secret path. Shorter paths may occur in any text. */
const SHORTEST_SECRET_PATH = 12;

/** Removes the address from a response, because the response is stored and the address is a secret. */
function withoutAddress(answer: string, address: string): string {
  const { pathname, search } = new URL(address);
  const hidden = [address, pathname + search, pathname].filter(
    ({ length }) => length >= SHORTEST_SECRET_PATH,
  );
  return hidden.reduce((text, secret) => text.replaceAll(secret, "***"), answer);
}

function payloadOf({ event }: Pick<Delivery, "event">): NotificationPayload {
  return JSON.parse(bodyOf(event));
}

/** The events of a message to people, oldest first. */
export function payloadsOf({
  event,
  merged,
}: Pick<Delivery, "event" | "merged">): [NotificationPayload, ...NotificationPayload[]] {
  const [first = event, ...others] = [event, ...merged].toSorted((a, b) => a.number - b.number);
  return [
    payloadOf({ event: { ...event, ...first } }),
    ...others.map((each) => payloadOf({ event: { ...event, ...each } })),
  ];
}

function sentBy(result: SendResult & Posted): Sent {
  const shown = Object.entries(result.headers).filter(([name]) => !SECRET_HEADERS.has(name));
  return {
    delivered: result.outcome === "delivered",
    outcome: result.outcome,
    status: result.status ?? null,
    // Without a response, stores the error.
    answer: result.answer === "" && "detail" in result ? result.detail : result.answer,
    requestHeaders: Object.fromEntries(shown),
    ...("retryAfterSeconds" in result ? { retryAfterSeconds: result.retryAfterSeconds } : {}),
    ...(result.status === GONE ? { endsTarget: "The target returned 410 Gone" } : {}),
  };
}

/** @returns the signed headers of a delivery. Without a secret and a key, nothing is signed. */
function signer(secrets: SecretBox, now: () => number) {
  /** By the sealed text. Reading a key costs more than signing. */
  const keys = new Map<string, KeyObject | undefined>();
  const keyOf = ({ org_id, signing_key }: Delivery["target"]) => {
    if (signing_key === null) return undefined;
    if (!keys.has(signing_key)) {
      const opened = openedIn(secrets, org_id, signing_key);
      keys.set(signing_key, opened === undefined ? undefined : readSigningKey(opened));
    }
    return keys.get(signing_key);
  };
  return ({ event, target }: Delivery, body: string): Readonly<Record<string, string>> => {
    // Receivers compare it with their own clocks, so it is not the time of the database.
    const timestamp = Math.floor(Date.now() / 1000);
    const former = (target.former_secret_until ?? 0) > now() ? target.former_secret : null;
    const opened = [target.secret, former].flatMap((sealed) => openedIn(secrets, target.id, sealed) ?? []);
    const signingKey = keyOf(target);
    if (opened.length === 0 && signingKey === undefined) {
      return { "webhook-id": event.id, "webhook-timestamp": String(timestamp) };
    }
    return signedHeaders({
      id: event.id,
      timestamp,
      body,
      secrets: opened,
      ...(signingKey && { signingKey }),
    });
  };
}
