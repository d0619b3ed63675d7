import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { data } from "./data.ts";
import { link, safeLink } from "./link.ts";
import { text, visible } from "./text.ts";
import { badge } from "./verdict.ts";

type Origin = NonNullable<AnsweredBy<"getTrail">["origin"]>;
type State = Origin["state"];

/** Who made a record, as facts of it: what was proven of its workflow, or that an API key shows nobody. */
export function originFacts(
  origin: Origin | null | undefined,
  { to, may }: Pick<PageRequest, "to" | "may">,
): readonly (readonly [string, Html | string])[] {
  if (!origin) return [["Origin", "API key: not proven"]];
  return [
    ["Origin", proven(origin)],
    ["Issuer", text(origin.issuer)],
    [
      "Trust policy",
      may("getTrustPolicy")
        ? link(to.page("trust-policies", origin.policy), origin.policy)
        : text(origin.policy),
    ],
    ["Proven claims", data("What the token said", origin.claims)],
  ];
}

function proven({ state, name, url, issuer, differences, byAuthor }: Origin): Html {
  const prover = name.startsWith("github:") ? "GitHub" : (URL.parse(issuer)?.host ?? issuer);
  const author =
    byAuthor === true ? html` ${badge("BY THE AUTHOR", "warn")} by the author of the commit` : "";
  return html`${stateBadge(state)} Proven by ${visible(prover)}: ${url ? safeLink(url, name) : text(name)}${author}${differing(differences)}<p class="quiet">No token names the author of a commit: the author is as reported.</p>`;
}

function differing(differences: Origin["differences"]): Html {
  const all = Object.entries(differences);
  if (all.length === 0) return html``;
  return html`<ul class="reasons">${all.map(
    ([field, { said, proven: is }]) =>
      html`<li>${text(field)}: the record says <code>${visible(said)}</code>, ${is === "" ? "the token proves none" : html`proven is <code>${visible(is)}</code>`}</li>`,
  )}</ul>`;
}

function stateBadge(state: State): Html {
  return badge(state.toUpperCase(), state === "verified" ? "ok" : "warn");
}

/** The column of a list of records that says whether it was proven who made them. */
export const recordOriginColumn = {
  head: "Origin",
  cell: ({ origin }: { readonly origin?: Origin | null | undefined }): Html => originMark(origin?.state),
  csv: ({ origin }: { readonly origin?: Origin | null | undefined }): string => origin?.state ?? "API key",
};

function originMark(state: State | null | undefined): Html {
  return state ? stateBadge(state) : html`<span class="quiet">API key</span>`;
}

interface Marked {
  /** Absent where there is no attestation yet. */
  readonly attestationId?: string | null | undefined;
  readonly originState?: State | null | undefined;
}

/** The column of a list of attestations that says whether it was proven who made them. */
export const originColumn = {
  head: "Origin",
  cell: ({ attestationId, originState }: Marked): Html | string =>
    originState || attestationId ? originMark(originState) : "",
  csv: ({ attestationId, originState }: Marked): string | null =>
    originState ?? (attestationId ? "API key" : null),
};
