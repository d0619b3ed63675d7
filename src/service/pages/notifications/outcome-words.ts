import { text } from "../parts/html.ts";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["delivered", "Delivered"],
  ["refused_address", "Address not allowed"],
  ["dns", "Unknown host"],
  ["connect", "No connection"],
  ["tls", "No secure connection"],
  ["timeout", "No response in time"],
  ["reset", "Connection lost"],
  ["too_large", "Response too large"],
  ["not_http", "Response is not HTTP"],
  ["no_token", "Token missing"],
  ["no_address", "Address unreadable"],
  ["mail_later", "Mail server asks to try later"],
  ["mail_refused", "Mail server refused it"],
  ["mail_server", "Mail server not usable"],
  ["mail_limit", "Limit of emails reached"],
]);

/** The outcome of an attempt in words. Slack's own words and statuses such as `status_503` have no entry. */
export function outcomeWords(outcome: string): string {
  const words = outcome.replaceAll("_", " ");
  return WORDS.get(outcome) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function outcomeCell(outcome: string | null | undefined) {
  return outcome ? { html: text(outcomeWords(outcome)), csv: outcome } : null;
}
