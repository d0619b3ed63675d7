import { expect } from "vitest";
import { ApiError } from "../../src/api/client/errors.ts";
import type { WireReply } from "./target.ts";

/**
 * Expects a call to be refused with this status and message, and with errors for exactly these fields. The beginning
 * of the text of a field's error must match; the rest shows the input.
 */
export async function expectRefusal(
  call: Promise<WireReply | { readonly body: unknown; readonly status: number }>,
  status: number,
  message: string | RegExp,
  fieldErrors?: Readonly<Record<string, string>>,
): Promise<void> {
  const refusal = await refusalOf(call);
  expect({ status: refusal.status, message: refusal.message }).toEqual({
    status,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
  if (fieldErrors === undefined) return;
  const texts = Object.entries(fieldErrors).map(([field, text]) => [field, expect.stringContaining(text)]);
  expect(refusal.errors).toEqual(Object.fromEntries(texts));
}

export const INVALID = "Input payload validation failed";

/** Expects that a request is refused for its content. */
export function expectInvalid(
  call: Parameters<typeof expectRefusal>[0],
  fieldErrors: Readonly<Record<string, string>>,
  message: string | RegExp = INVALID,
): Promise<void> {
  return expectRefusal(call, 400, message, fieldErrors);
}

interface Refusal {
  readonly status: number;
  readonly message: unknown;
  readonly errors: unknown;
}

async function refusalOf(call: Parameters<typeof expectRefusal>[0]): Promise<Refusal> {
  try {
    const { status, body } = await call;
    const error: { message?: unknown; errors?: unknown } =
      status >= 400 && typeof body === "object" && body !== null ? body : { message: body };
    return { status, message: error.message, errors: error.errors };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, message: error.serviceMessage, errors: error.fieldErrors };
  }
}
