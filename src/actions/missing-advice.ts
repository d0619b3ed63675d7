import { ApiError } from "../api/client/errors.ts";

/**
 * Adds advice to a 404; returns any other error unchanged.
 *
 * @param what how the service's message begins, if not all that may be missing is meant
 */
export function adviseMissing(error: unknown, advice: string, what = ""): unknown {
  if (!(error instanceof ApiError && error.missing && error.serviceMessage.startsWith(what))) return error;
  return error.explained({ advice });
}
