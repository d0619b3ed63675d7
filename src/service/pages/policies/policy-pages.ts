import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import { definePage, type PageRequest } from "../page.ts";
import { numberedLines } from "../parts/code.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { link } from "../parts/link.ts";
import { type Table, table } from "../parts/table.ts";
import { longText, text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { POLICY_HOW_TO } from "./how-to.ts";
import { verdictTable } from "./verdicts.ts";

/** A policy: its file, its versions, and how the environments stand that it is attached to. */
export const policyPage = definePage({
  path: "/:org/policies/:policy",
  audience: "everybody",
  async show(request) {
    const { params, ask, to, query } = request;
    const policy = await ask("getPolicy", { policyName: params.policy });
    const { versions = [], consumingEnvs = [] } = policy;
    const environments = await verdictTable(request, { policy: policy.name, environments: consumingEnvs });
    const all = versionTable(request, policy.name, versions.toReversed());
    const asked = Number(query.get("version"));
    const shown = versions.find(({ version }) => version === asked) ?? versions.at(-1);
    return {
      title: `Policy ${policy.name}`,
      above: [{ name: "Policies", href: to.page("policies") }],
      main: html`<p class="lead">${consumingEnvs.length === 0 ? "It is attached to no environment, so it decides nothing." : `It decides what may run in ${consumingEnvs.length === 1 ? "one environment" : `${consumingEnvs.length} environments`}.`}</p>
${policy.description === "" ? "" : longText(policy.description)}
${facts([
  ["Made by", text(policy.createdBy)],
  ["Made", policy.createdAt ? time(policy.createdAt) : ""],
  ["Archived", policy.archived ? "yes" : ""],
])}
<h2>Environments</h2>
${environments.html}
<h2>${shown === undefined ? "File" : `Version ${shown.version}`}</h2>
${shown === undefined || shown.policyYaml === "" ? html`<p>The text of this version is not shown here.</p>` : numberedLines(shown.policyYaml)}
<h2>Versions</h2>
${all.html}`,
      tables: [environments, all],
      json: { operation: "getPolicy", given: { policyName: params.policy } },
      howTo: POLICY_HOW_TO,
    };
  },
});

type Version = NonNullable<AnsweredBy<"getPolicy">["versions"]>[number];

function versionTable({ to, here }: PageRequest, policy: string, versions: readonly Version[]): Table {
  const href = (version: number) => `${to.page("policies", policy)}?version=${version}`;
  return table({
    id: "versions",
    caption: "Versions, the latest first",
    columns: [
      {
        head: "Version",
        cell: ({ version }) => link(href(version), String(version)),
        csv: ({ version }) => version,
      },
      { head: "Made", cell: ({ timestamp }) => time(timestamp), csv: ({ timestamp }) => utc(timestamp) },
      { head: "By", cell: ({ createdBy }) => text(createdBy), csv: ({ createdBy }) => createdBy },
      { head: "Why", cell: ({ comment }) => text(comment), csv: ({ comment }) => comment },
    ],
    rows: versions,
    empty: empty("There is no version."),
    here,
  });
}
