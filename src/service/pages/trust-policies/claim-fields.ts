import { html } from "hono/html";
import { Invalid } from "../../kernel/errors.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { area, field } from "../parts/field.ts";
import type { Policy } from "./policy-state.ts";

type Claims = Policy["claims"];

/** The claims that have a field of their own; the others are lines of one. */
const OWN = [
  { name: "ref", claim: "ref", label: "Ref", hint: "refs/heads/main, or refs/tags/v*" },
  {
    name: "event",
    claim: "event_name",
    label: "Event",
    hint: "push; events that outsiders can cause, such as pull_request, only if named here",
  },
  { name: "environment", claim: "environment", label: "Environment of GitHub", hint: "production" },
  {
    name: "workflow",
    claim: "job_workflow_ref",
    label: "Workflow",
    hint: "acme/ci/.github/workflows/build.yml@*",
  },
] as const;

/** The fields for what a token must say. */
export function claimFields(claims: Claims, { kept }: Pick<PageRequest, "kept">): Html {
  const rest = new Map(Object.entries(claims).map(([claim, wanted]) => [claim, [wanted].flat()]));
  const own = OWN.map(({ name, claim, label, hint }) => {
    const first = rest.get(claim)?.shift() ?? "";
    return field({ name, label, hint, value: kept(name, first) });
  });
  const lines = [...rest].flatMap(([claim, wanted]) => wanted.map((each) => `${claim}=${each}\n`));
  return html`${own}${area({
    name: "claims",
    label: "Further claims",
    hint: "One a line, such as runner_environment=github-hosted. Of a claim that is named again, either will do. * stands for any characters.",
    value: kept("claims", lines.join("")),
  })}`;
}

/**
 * What a token must say, as it was typed.
 *
 * @throws Invalid
 */
export function claimsIn(sent: URLSearchParams): Claims {
  const claims = new Map<string, string[]>();
  const add = (claim: string, wanted: string) => claims.set(claim, [...(claims.get(claim) ?? []), wanted]);
  for (const { name, claim } of OWN) {
    const wanted = (sent.get(name) ?? "").trim();
    if (wanted !== "") add(claim, wanted);
  }
  for (const line of (sent.get("claims") ?? "").split("\n").map((each) => each.trim())) {
    const [, claim = "", wanted = ""] = /^([^=]+)=(.+)$/.exec(line) ?? [];
    if (line !== "" && wanted === "")
      throw new Invalid(`'${line}' is no claim: runner_environment=github-hosted is`);
    if (wanted !== "") add(claim.trim(), wanted.trim());
  }
  return Object.fromEntries(
    [...claims].map(([claim, wanted]) => [claim, wanted.length === 1 ? (wanted[0] ?? "") : wanted]),
  );
}
