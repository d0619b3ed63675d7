import type { Delivery, Send, Sent } from "./sent.ts";

interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a request ended, which is over in 15 s whatever the target does. */
type WebhookAnswer = Pick<Sent, "outcome" | "retryAfterSeconds"> & {
  /** Undefined when no answer came. */
  readonly status?: number;
  /** The beginning of the answer. */
  readonly answer: string;
};

/** What it takes to send to webhooks. */
export interface WebhookParts {
  /** What is sent: equal for each repeat. */
  bodyOf(event: Delivery["event"]): string;
  /** The headers that prove where it comes from. */
  signedHeaders(delivery: Delivery, body: string): Promise<Readonly<Record<string, string>>>;
  sendRequest(request: WebhookRequest): Promise<WebhookAnswer>;
}

const GONE = 410;
/** Not written down: whoever has it can send what seems to come from here. */
const SIGNATURE = "webhook-signature";

/** Sends to webhooks: an event as JSON, with headers that let its receiver check where it comes from. */
export function webhookSender({ bodyOf, signedHeaders, sendRequest }: WebhookParts): Send {
  return async (delivery): Promise<Sent> => {
    const body = bodyOf(delivery.event);
    const headers = { "content-type": "application/json", ...(await signedHeaders(delivery, body)) };
    const { outcome, status, answer, retryAfterSeconds } = await sendRequest({
      ...{ url: delivery.target.address, headers, body },
    });
    const shown = Object.entries(headers).filter(([name]) => name !== SIGNATURE);
    return {
      delivered: outcome === "delivered",
      ...{ outcome, status: status ?? null, answer, retryAfterSeconds },
      requestHeaders: Object.fromEntries(shown),
      ...(status === GONE ? { endsTarget: "It answered 410 Gone: nothing more is wanted there" } : {}),
    };
  };
}
