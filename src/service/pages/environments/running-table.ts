import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { digest } from "../parts/digest.ts";
import { link } from "../parts/link.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";

export type Running = AnsweredBy<"getSnapshot">["artifacts"][number];

interface Shape {
  readonly id: string;
  readonly caption: string;
  readonly artifacts: readonly Running[];
  readonly empty: Html;
}

/** What runs or ran: one row for each artifact, whatever the number of its instances. */
export function runningTable({ id, caption, artifacts, empty }: Shape, { to, here }: PageRequest): Table {
  return table<Running>({
    id,
    caption,
    columns: [
      { head: "Artifact", cell: nameOf, csv: ({ name }) => name },
      {
        head: "Fingerprint",
        cell: ({ fingerprint }) =>
          fingerprint === "" ? html`<strong>It is not known what runs.</strong>` : digest(fingerprint),
        csv: ({ fingerprint }) => fingerprint,
      },
      { head: "Verdict", cell: verdictOf, csv: ({ compliant }) => wordOf(compliant) },
      { head: "Built in", cell: (each) => builtIn(each, to), csv: ({ flows }) => flows?.[0]?.flowName },
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

/** How many there are, and which pods. */
function instancesHtml(running: Running): Html {
  const { pods } = running;
  const names = Object.keys(pods ?? {});
  if (names.length === 0) return html`${instancesOf(running)}`;
  return html`${instancesOf(running)}<details><summary>${names.length === 1 ? "1 pod" : `${names.length} pods`}</summary><ul>${Object.entries(
    pods ?? {},
  ).map(
    ([pod, of]) => html`<li>${text(pod)} ${namespaceOf(of)}</li>
`,
  )}</ul></details>`;
}

function namespaceOf(pod: unknown): Html {
  const { namespace } = Object(pod);
  return typeof namespace === "string" ? html`<span class="quiet">in ${text(namespace)}</span>` : html``;
}

function verdictOf({ compliant, reasonsForIncompliance: reasons, policyDecisions }: Running): Html {
  const decisions = policyDecisions ?? [];
  const why = (reasons ?? []).filter((reason) => typeof reason === "string");
  return html`${complianceVerdict(compliant)}${why.length === 0 ? "" : html`<ul class="reasons">${why.map((reason) => html`<li>${text(reason)}</li>`)}</ul>`}${decisions.length === 0 ? "" : rulesOf(decisions)}`;
}

/** Rule by rule what each policy says. */
function rulesOf(decisions: NonNullable<Running["policyDecisions"]>): Html {
  return html`<details><summary>Rule by rule</summary><ul>${decisions.map(
    ({ policyName, policyVersion, ruleEvaluations }) =>
      (ruleEvaluations ?? []).map(
        ({ rule, satisfied, ignored }) =>
          html`<li>${text(policyName)} version ${policyVersion}, ${text(rule?.type)}: ${ignored ? "not asked for" : satisfied ? "satisfied" : "not satisfied"}</li>
`,
      ),
  )}</ul></details>`;
}

function wordOf(compliant: boolean | null | undefined): string {
  if (compliant === null || compliant === undefined) return "UNKNOWN";
  return compliant ? "COMPLIANT" : "NON-COMPLIANT";
}

function builtIn({ flows, fingerprint }: Running, to: PageRequest["to"]): Html {
  const known = flows ?? [];
  if (known.length === 0) return html`<span class="quiet">nobody knows</span>`;
  return html`<ul class="plain">${known.map(({ flowName, trailName }) => html`<li>${link(to.page("flows", flowName, "artifacts", fingerprint), flowName)}${trailName ? html`, trail ${link(to.page("flows", flowName, "trails", trailName), trailName)}` : ""}</li>`)}</ul>`;
}

function instancesOf({ annotation, creationTimestamp, instances }: Running): number {
  return annotation?.now ?? creationTimestamp?.length ?? instances?.length ?? 0;
}

/** When its oldest instance was made. */
function sinceOf({ creationTimestamp, instances }: Running): number | undefined {
  const times = creationTimestamp ?? instances?.map((each) => each.creationTimestamp) ?? [];
  return times.length === 0 ? undefined : times.reduce((least, each) => Math.min(least, each));
}
