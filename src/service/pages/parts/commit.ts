import { html } from "hono/html";
import type { Html } from "../html.ts";
import { digest } from "./digest.ts";
import { facts } from "./facts.ts";
import { firstLine } from "./first-line.ts";
import { safeLink } from "./link.ts";
import { text } from "./text.ts";
import { time } from "./time.ts";

/** A commit as records have it. */
export interface ShownCommit {
  readonly sha1?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly author?: string | null | undefined;
  readonly branch?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
  readonly url?: string | null | undefined;
  readonly verified?: boolean | null | undefined;
}

/** The facts of a commit; nothing when there is none. */
export function commitFacts(commit: ShownCommit | null | undefined): Html {
  if (!commit?.sha1) return html``;
  return facts([
    ["Commit", html`${digest(commit.sha1)} ${safeLink(commit.url, "View it")}`],
    ["Message", text(firstLine(commit.message))],
    ["Author", text(commit.author)],
    ["Branch", commit.branch ? text(commit.branch) : ""],
    ["Committed", commit.timestamp ? time(commit.timestamp) : ""],
    ["Signature", signature(commit.verified)],
  ]);
}

function signature(verified: boolean | null | undefined): string {
  if (verified === null || verified === undefined) return "";
  return verified ? "verified by the forge" : "not verified";
}
