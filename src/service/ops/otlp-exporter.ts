import { bodyOf } from "../../net/body.ts";
import { Client } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import type { Profile } from "../../net/profiles.ts";
import type { Log } from "../kernel/log.ts";
import type { Attributes, Span, SpanSink } from "../kernel/tracing.ts";

/** The collector of traces: OTLP over HTTP, as JSON. https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export interface TraceSettings {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the service, such as `service.name`. */
  readonly resource: Attributes;
  /** Share of the requests that are traced, from 0 to 1. */
  readonly ratio: number;
}

interface ExporterOptions extends Pick<TraceSettings, "url" | "headers" | "resource"> {
  readonly version: string;
  readonly log: Log;
}

const FLUSH_MS = 2_000;
const SPANS_AT_ONCE = 512;
/** More are dropped, because a collector that is down must not fill the memory. */
const MOST_WAITING = 4_096;
const TIME_LIMIT_SECONDS = 10;

const COLLECTOR: Profile = { attempts: 3, maxBytes: 1024 * 1024, redirects: "refused" };
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const ERROR = 2;

/** Sends spans in the background. Failures are logged once until the next success, and never fail a request. */
export function openExporter({ url, headers, resource, version, log }: ExporterOptions) {
  const client = new Client({
    profile: COLLECTOR,
    errorOf: (failure) =>
      new Error(failure.kind === "unanswered" ? failure.fault.reason : `The request failed: ${failure.kind}`),
  });
  let waiting: Span[] = [];
  let dropped = 0;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function send(spans: readonly Span[]): Promise<void> {
    using deadline = new Deadline(TIME_LIMIT_SECONDS);
    const body = bodyOf("application/json", JSON.stringify(payloadOf(spans, resource, version)));
    try {
      const { status } = await client.send({ method: "POST", url, headers, body }, deadline);
      if (status < 200 || status >= 300) throw new Error(`It answered ${status}`);
      isFailing = false;
    } catch (error) {
      dropped += spans.length;
      if (!isFailing) {
        const message = `Traces cannot be sent to ${url.host}. Spans lost so far: ${dropped}`;
        log({ level: "warn", message, error });
      }
      isFailing = true;
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const spans = waiting;
    waiting = [];
    sending = sending.then(async () => {
      for (let at = 0; at < spans.length; at += SPANS_AT_ONCE)
        await send(spans.slice(at, at + SPANS_AT_ONCE));
    });
    return sending;
  }

  const sink: SpanSink = (span) => {
    if (waiting.length >= MOST_WAITING) {
      dropped++;
      return;
    }
    waiting.push(span);
    timer ??= setTimeout(() => void sending.then(flush), FLUSH_MS).unref();
  };
  return {
    sink,
    async close(): Promise<void> {
      await flush();
      await client.close();
    },
  };
}

function payloadOf(spans: readonly Span[], resource: Attributes, version: string) {
  const scope = { name: "delivery-evidence", version };
  return {
    resourceSpans: [
      {
        resource: { attributes: listed(resource) },
        scopeSpans: [{ scope, spans: spans.map(asJson) }],
      },
    ],
  };
}

function asJson({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, failed }: Span) {
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: listed(attributes),
    status: failed ? { code: ERROR } : {},
  };
}

/** Beyond the exact numbers of JSON, so the protocol has it as text. */
function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function listed(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: typed(value) }));
}

function typed(value: string | number) {
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
