import type { Delivery, Send, Sent } from "./sent.ts";

/** A request to a webhook, which is over in 15 s, whatever happens. */
interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a request ended: with an answer, or with the word that says why there is none. */
interface WebhookAnswer {
  /** `delivered` for 2xx, `status_503` for others, `timeout` and the like when none came. */
  readonly outcome: string;
  readonly status: number | null;
  readonly answer: string | null;
  readonly retryAfterSeconds?: number | undefined;
}

/** What it takes to send to webhooks. */
export interface WebhookParts {
  /** What is sent: equal for each repeat. */
  bodyOf(event: Delivery["event"]): string;
  /** Headers of which some tell what is sent and when, and some are secret: a signature, a token. */
  headersFor(
    delivery: Delivery,
    body: string,
  ): Promise<{
    shown: Readonly<Record<string, string>>;
    secret: Readonly<Record<string, string>>;
  }>;
  sendRequest(request: WebhookRequest): Promise<WebhookAnswer>;
}

const GONE = 410;

/** Sends to webhooks: an event as JSON, with headers that let its receiver check where it comes from. */
export function webhookSender({ bodyOf, headersFor, sendRequest }: WebhookParts): Send {
  return async (delivery): Promise<Sent> => {
    const body = bodyOf(delivery.event);
    const { shown, secret } = await headersFor(delivery, body);
    const url = delivery.target.address;
    const { status, ...answered } = await sendRequest({ url, headers: { ...shown, ...secret }, body });
    return {
      ...answered,
      status,
      delivered: status !== null && status >= 200 && status < 300,
      requestHeaders: shown,
      ...(status === GONE ? { endsTarget: "It answered 410 Gone: nothing more is wanted there" } : {}),
    };
  };
}
