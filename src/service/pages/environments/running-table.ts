import { html } from "hono/html";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { digest } from "../parts/digest.ts";
import { leads, leadsTo } from "../parts/leads.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { badge, complianceVerdict } from "../parts/verdict.ts";
import { instancesHtml, instancesOf, type Running } from "./instances.ts";
import { reasonsOf } from "./why.ts";

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly artifacts: readonly Running[];
  readonly empty: Html;
}

/** What runs or ran: one row for each artifact, whatever the number of its instances. */
export function runningTable({ id, caption, artifacts, empty }: Shape, request: PageRequest): Table {
  const { to, here } = request;
  const member = {
    head: "Environment",
    cell: ({ environmentName: name }: Running) =>
      name ? leadsTo(name, request)(to.page("environments", name), name) : "",
    csv: ({ environmentName: name }: Running) => name,
  };
  return table<Running>({
    id,
    caption,
    columns: [
      { head: "Artifact", cell: nameOf, csv: ({ name }) => name },
      ...(artifacts.some(({ environmentName }) => environmentName) ? [member] : []),
      {
        head: "Fingerprint",
        cell: ({ fingerprint }) =>
          fingerprint === ""
            ? html`${badge("NOT KNOWN", "warn")} Nothing tells what runs: its image has no digest.`
            : digest(fingerprint),
        csv: ({ fingerprint }) => fingerprint,
      },
      { head: "Verdict", cell: verdictOf, csv: ({ compliant }) => wordOf(compliant) },
      { head: "Built in", cell: (each) => builtIn(each, request), csv: ({ flows }) => flows?.[0]?.flowName },
      {
        head: "Commit",
        cell: ({ gitCommit }) => (gitCommit ? digest(gitCommit) : ""),
        csv: ({ gitCommit }) => gitCommit,
      },
      { head: "Instances", cell: instancesHtml, csv: instancesOf, isNumber: true },
      { head: "Since", cell: (each) => time(sinceOf(each)), csv: (each) => utc(sinceOf(each) ?? 0) },
    ],
    rows: artifacts,
    empty,
    here,
  });
}

/** Of an absolute path the last step says what it is. */
function nameOf({ name }: Running): Html {
  const [, folder = "", last = name] = /^(\/.*\/)([^/]+)$/.exec(name) ?? [];
  return folder === "" ? text(name) : html`${text(folder)}<strong>${text(last)}</strong>`;
}

function verdictOf(running: Running): Html {
  const decisions = running.policyDecisions ?? [];
  const why = reasonsOf(running);
  return html`${complianceVerdict(running.compliant)}${why.length === 0 ? "" : html`<ul class="reasons">${why.map((reason) => html`<li>${text(reason)}</li>`)}</ul>`}${decisions.length === 0 ? "" : rulesOf(decisions)}`;
}

/** Rule by rule what each policy says, and of those that are not satisfied why. */
function rulesOf(decisions: NonNullable<Running["policyDecisions"]>): Html {
  return html`<details><summary>Rule by rule</summary>${decisions.map(
    ({ policyName, policyVersion, ruleEvaluations }) =>
      html`<p>${text(policyName)}${policyVersion === undefined ? "" : ` version ${policyVersion}`}:</p>
<ul class="plain">${(ruleEvaluations ?? []).map(
        (each) => html`<li>${ruleBadge(each)} ${text(ruleInWords(each.rule))}${whyNot(each)}</li>
`,
      )}</ul>`,
  )}</details>`;
}

type Evaluation = NonNullable<PolicyEvaluation["ruleEvaluations"]>[number];

function ruleBadge({ satisfied, ignored }: Evaluation): Html {
  if (ignored || satisfied === null || satisfied === undefined) return badge("NOT ASKED FOR", "unknown");
  return satisfied ? badge("SATISFIED", "ok") : badge("NOT SATISFIED", "fail");
}

/** `attestation scan of type snyk` */
function ruleInWords({ type, definition: { name, type: kind } }: Evaluation["rule"]): string {
  if (type !== "attestation") return type.replaceAll("-", " ");
  const named = !name || name === "*" ? "any attestation" : `attestation ${name}`;
  return !kind || kind === "*" ? named : `${named} of type ${kind}`;
}

const FINE = ["rule_satisfied", "rule_not_applicable"];

/** `: missing attestation in flow web, trail v1` */
function whyNot({ satisfied, resolutions }: Evaluation): Html {
  const failing = satisfied === false ? (resolutions ?? []).filter(({ type }) => !FINE.includes(type)) : [];
  if (failing.length === 0) return html``;
  const reasons = failing.map(({ type, context }) => {
    const place = [
      context?.flowName ? `in flow ${context.flowName}` : "",
      context?.trailName ? `trail ${context.trailName}` : "",
    ].filter(Boolean);
    return [type === "non_compliant_in_trail" ? "not compliant" : type.replaceAll("_", " "), place.join(", ")]
      .filter(Boolean)
      .join(" ");
  });
  return html`: ${text(reasons.join("; "))}`;
}

function wordOf(compliant: boolean | null | undefined): string {
  if (compliant === null || compliant === undefined) return "UNKNOWN";
  return compliant ? "COMPLIANT" : "NON-COMPLIANT";
}

function builtIn({ flows, fingerprint }: Running, { to, may, viewer }: PageRequest): Html {
  const known = flows ?? [];
  if (known.length === 0) return html`<span class="quiet">nobody knows</span>`;
  const lead = (flowName: string) =>
    may("getFlow", { flowName }) ? leads(viewer) : (_: string, name: string) => text(name);
  return html`<ul class="plain">${known.map(({ flowName, trailName }) => html`<li>${lead(flowName)(to.page("flows", flowName, "artifacts", fingerprint), flowName)}${trailName ? html`, trail ${lead(flowName)(to.page("flows", flowName, "trails", trailName), trailName)}` : ""}</li>`)}</ul>`;
}

/** When its oldest instance was made. */
function sinceOf({ creationTimestamp, instances }: Running): number | undefined {
  const times = creationTimestamp ?? instances?.map((each) => each.creationTimestamp) ?? [];
  return times.length === 0 ? undefined : times.reduce((least, each) => Math.min(least, each));
}
