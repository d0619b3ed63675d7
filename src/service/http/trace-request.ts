import type { IncomingHttpHeaders } from "node:http";
import type { RequestSummary } from "../kernel/log.ts";
import { inRootSpan, newTraceId, type SpanSink } from "../kernel/tracing.ts";

/** Decides which requests are traced, and receives their spans. */
export interface Tracer {
  readonly sink: SpanSink;
  /** Share of the requests without a trace of their own that are traced, from 0 to 1. */
  readonly ratio: number;
}

/** Requests of monitors, which would be most of the traces of a quiet service. */
const MONITORING = new Set(["ready", "health", "metrics"]);

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Serves a request as one span, whose children are its steps. A caller's trace is continued. */
export function traceRequest<T>(
  { sink, ratio }: Tracer,
  { operation = "none", headers }: { operation: string | undefined; headers: IncomingHttpHeaders },
  serve: (noted: (summary: RequestSummary) => void) => Promise<T>,
): Promise<T> {
  const given = typeof headers["traceparent"] === "string" ? headers["traceparent"] : "";
  const [, traceId = newTraceId(), parentId, flags] = TRACEPARENT.exec(given) ?? [];
  const isSampled = flags === undefined ? Math.random() < ratio : (Number.parseInt(flags, 16) & 1) === 1;
  if (!isSampled || MONITORING.has(operation)) return serve(() => {});
  return inRootSpan(sink, { traceId, parentId }, { name: operation, kind: "server" }, (note) =>
    serve(({ method, status, requestId }) =>
      note(
        {
          "http.request.method": method,
          "http.response.status_code": status,
          "evidence.request_id": requestId,
        },
        status >= 500,
      ),
    ),
  );
}
