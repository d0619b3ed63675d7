import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

export type Attributes = Readonly<Record<string, string | number>>;

/** A finished step of a request. Times are those of `performance.now()` plus `performance.timeOrigin`. */
export interface Span extends TraceContext {
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

export type SpanSink = (span: Span) => void;

/** A span that is not finished, under which others begin. */
export interface OpenSpan extends TraceContext {
  readonly sink: SpanSink;
}

interface Step {
  readonly name: string;
  readonly kind?: Span["kind"];
  readonly attributes?: Attributes;
}

const current = new AsyncLocalStorage<OpenSpan | undefined>();

const now = () => performance.timeOrigin + performance.now();
const newSpanId = () => randomBytes(8).toString("hex");
export const newTraceId = () => randomBytes(16).toString("hex");

/** Undefined unless the request is traced. */
export function currentSpan(): OpenSpan | undefined {
  return current.getStore();
}

/** Continues a trace in another thread. */
export function continueTrace<T>(span: OpenSpan | undefined, work: () => T): T {
  return span === undefined ? work() : current.run(span, work);
}

/** Lets a function that runs later belong to the request that is served now. */
export function boundToRequest<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const span = current.getStore();
  return (...args) => current.run(span, work, ...args);
}

/**
 * Runs the first step of a request.
 *
 * @param work receives a function that adds attributes, and marks the step as failed
 */
export async function inRootSpan<T>(
  sink: SpanSink,
  { traceId, parentId }: { traceId: string; parentId: string | undefined },
  step: Step,
  work: (note: (attributes: Attributes, failed: boolean) => void) => Promise<T>,
): Promise<T> {
  const span: OpenSpan = { traceId, spanId: newSpanId(), sink };
  const startedAt = now();
  let { attributes = {} } = step;
  let failed = false;
  try {
    return await current.run(span, () =>
      work((more, hasFailed) => {
        attributes = { ...attributes, ...more };
        failed ||= hasFailed;
      }),
    );
  } finally {
    end(span, parentId, { ...step, attributes }, { startedAt, endedAt: now(), failed });
  }
}

/**
 * Runs a step of the current request. Without one, it only runs.
 *
 * @param describe called only for a traced request
 */
export function inSpan<T>(describe: () => Step, work: () => Promise<T>): Promise<T> {
  const parent = current.getStore();
  return parent === undefined ? work() : inSpanOf(parent, describe(), work);
}

async function inSpanOf<T>(parent: OpenSpan, step: Step, work: () => Promise<T>): Promise<T> {
  const span = { ...parent, spanId: newSpanId() };
  const startedAt = now();
  let failed = true;
  try {
    const result = await current.run(span, work);
    failed = false;
    return result;
  } finally {
    end(span, parent.spanId, step, { startedAt, endedAt: now(), failed });
  }
}

/** Adds a finished step below another. Times are those of `performance.now()`. @returns the step, for more below it */
export function addSpan(
  parent: OpenSpan,
  step: Step,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
): OpenSpan {
  const span = { ...parent, spanId: newSpanId() };
  const times = {
    startedAt: performance.timeOrigin + startedAt,
    endedAt: performance.timeOrigin + endedAt,
  };
  end(span, parent.spanId, step, { ...times, failed: false });
  return span;
}

function end(
  { sink, traceId, spanId }: OpenSpan,
  parentId: string | undefined,
  { name, kind = "internal", attributes = {} }: Step,
  outcome: Pick<Span, "startedAt" | "endedAt" | "failed">,
): void {
  sink({ traceId, spanId, parentId, name, kind, attributes, ...outcome });
}
