import { html } from "hono/html";
import type { Html } from "../html.ts";

/**
 * A text that somebody else wrote: it keeps its direction to itself, and what would not be seen in it, or turn around
 * what follows, is shown as an escape.
 */
export function text(value: string | null | undefined): Html {
  return html`<bdi>${visible(value ?? "")}</bdi>`;
}

/** Several lines that somebody else wrote. */
export function longText(value: string): Html {
  return html`<p class="text" dir="auto">${visible(value)}</p>`;
}

/** Controls and marks of format, but for line breaks, tabs, and the joiners that some scripts are written with. */
const UNSEEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text in which everything can be seen. */
export function visible(value: string): string {
  return value.replace(UNSEEN, (found) => `\\u${found.codePointAt(0)?.toString(16).padStart(4, "0")}`);
}
