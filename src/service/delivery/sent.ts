import { unlessEnded } from "../../net/deadline.ts";
import type { Tables } from "../store/tables.ts";

type Target = Tables["notification_targets"];
type Event = Tables["notification_events"];

/** What is sent: an event, to a target. */
export interface Delivery {
  readonly id: string;
  readonly event: Pick<Event, "id" | "number" | "event_trigger" | "payload" | "created_at">;
  readonly target: Pick<
    Target,
    | "id"
    | "org_id"
    | "action_id"
    | "kind"
    | "address"
    | "secret"
    | "former_secret"
    | "former_secret_until"
    | "token"
  > & {
    /** Of its organization, sealed. */
    readonly signing_key: string | null;
  };
}

/** How an attempt ended. */
export interface Sent {
  /** Whether the target took it. */
  readonly delivered: boolean;
  /** One word of few: `delivered`, `timeout`, `dns`, `status_503`. */
  readonly outcome: string;
  /** Of the answer, if one came. */
  readonly status: number | null;
  /** What was sent beside the body, by name. Signatures and tokens are left out by whoever sends. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The beginning of the answer. */
  readonly answer: string | null;
  /** How long the target asked to be left alone. */
  readonly retryAfterSeconds?: number | undefined;
  /** Nothing was sent, for a limit of the service: it says nothing of the target. */
  readonly isHeldBack?: boolean;
  /** Another attempt would end alike: none is made. */
  readonly final?: boolean;
  /** The target wants nothing more, ever: why, in a sentence. */
  readonly endsTarget?: string;
}

/**
 * Sends a delivery, within 15 s, or 30 s by mail, and says how that went. It does not throw for what the target or the
 * network does.
 */
export type Send = (delivery: Delivery) => Promise<Sent>;

/** Who sends to targets of which kind. A kind that is missing cannot be sent to by this service as it is set up. */
export type Senders = { readonly [Kind in Target["kind"]]?: Send };

/** Mail is the one kind that a service may not be set up for. */
const NO_MAIL_SERVER =
  "This service has no mail server: have its operator name one, by --smtp-url and --mail-from";

/** How much of an answer is kept. */
const ANSWER_CHARACTERS = 4_096;

/**
 * Has a delivery sent. Whatever goes wrong is how the attempt ended.
 *
 * @param giveUp ends the wait for it
 * @throws the reason of `giveUp`; whether the target took the delivery is not known then
 */
export async function sendBy(senders: Senders, delivery: Delivery, giveUp: AbortSignal): Promise<Sent> {
  const send = senders[delivery.target.kind];
  if (send === undefined) return { ...withoutAnswer("not_set_up"), answer: NO_MAIL_SERVER };
  try {
    const sent = await unlessEnded(send(delivery), giveUp);
    return { ...sent, answer: sent.answer === null ? null : storable(sent.answer) };
  } catch (error) {
    giveUp.throwIfAborted();
    return { ...withoutAnswer("internal_error"), answer: storable(String(error)) };
  }
}

function withoutAnswer(outcome: string): Sent {
  return { delivered: false, outcome, status: null, requestHeaders: {}, answer: null };
}

/** The beginning of a text, without what databases refuse. */
function storable(text: string): string {
  return text.slice(0, ANSWER_CHARACTERS).replaceAll("\0", "\uFFFD").toWellFormed();
}
