import type { IncomingMessage } from "node:http";
import { SPOOLED_BY_HEADER } from "../../api/resources/origin.ts";

/** More than a run can be called. */
const MAX_LENGTH = 1000;

/** Which other run made what a request sends, when it says so: on one line, and whatever it says, something. */
export function spooledByOf({ headers }: IncomingMessage): string | undefined {
  const header = headers[SPOOLED_BY_HEADER.toLowerCase()];
  if (header === undefined) return undefined;
  const text = decoded(String(header)).slice(0, MAX_LENGTH).replaceAll(/\p{C}/gu, " ").trim();
  return text === "" ? "another run" : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
