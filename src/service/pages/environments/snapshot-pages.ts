import { html } from "hono/html";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { link } from "../parts/link.ts";
import { pageNumberIn } from "../parts/listed.ts";
import { originFacts } from "../parts/origin.ts";
import { pager } from "../parts/pager.ts";
import type { Table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { duration, time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import type { Running } from "./instances.ts";
import { reportStep } from "./report-step.ts";
import { runningTable } from "./running-table.ts";

const ARTIFACTS = 200;

/** What an artifact did with a snapshot, in the order in which it is shown. */
const GROUPS = [
  ["started", "Started"],
  ["changed", "Changed"],
  ["exited", "Exited"],
  ["unchanged", "Unchanged"],
] as const;
type Group = (typeof GROUPS)[number][0];

/** What ran in an environment at a moment, and what changed with it. */
export const snapshotPage = definePage({
  path: "/:org/environments/:environment/snapshots/:snapshot{.+}",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, ask, may, to, query, here, now } = request;
    const { environment } = params;
    const page = pageNumberIn(query);
    const given = {
      envName: environment,
      snapshotExpression: params.snapshot,
      page,
      perPage: ARTIFACTS,
    };
    const snapshot = await ask("getSnapshot", given);
    const path = (index: number) => to.page("environments", environment, "snapshots", index);
    // `~2` and `@{now}` name another snapshot later on.
    if (String(snapshot.index) !== params.snapshot) return { redirect: path(snapshot.index) };
    const { index, timestamp, nextSnapshotTimestamp: end, artifactComplianceCount: counts } = snapshot;
    const total = Object.values(counts).reduce((all, each) => all + each, 0);
    const tables = GROUPS.map(([group, caption]) => {
      const artifacts = snapshot.artifacts.filter((each) => groupOf(each) === group);
      return runningTable({ id: group, caption, artifacts, empty: empty("None.") }, request);
    }).filter(({ count }) => count > 0);
    return {
      title: `Snapshot ${index}`,
      above: [
        { name: "Environments", href: to.page("environments") },
        { name: environment, href: to.page("environments", environment) },
        { name: "Snapshots", href: to.page("environments", environment, "snapshots") },
      ],
      main: html`<p class="lead">${complianceVerdict(snapshot.state)} ${countsSentence(counts)}</p>
${facts([
  ["From", time(timestamp)],
  ["To", end ? time(end) : "now"],
  ["Held for", duration((end ?? now) - timestamp)],
  ["Type", text(snapshot.type)],
  ["Policies", policiesOf(snapshot.appliedPolicies, request)],
  ...originFacts(snapshot.origin, request),
])}
<nav class="pager" aria-label="Snapshots before and after">${index > 1 ? html`<a rel="prev" href="${path(index - 1)}">Snapshot ${index - 1}</a>` : ""}${snapshot.isLatest ? "" : html`<a rel="next" href="${path(index + 1)}">Snapshot ${index + 1}</a>`}${index > 1 && may("diffSnapshots") ? html`<a href="${to.page("diff")}?a=${encodeURIComponent(`${environment}#${index - 1}`)}&amp;b=${encodeURIComponent(`${environment}#${index}`)}">Compare with the one before</a>` : ""}</nav>
<h2>Artifacts</h2>
${tables.length === 0 ? empty("Nothing ran.") : tables.map(groupHtml)}
${pager({
  previous: page > 1 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
  next: page * ARTIFACTS < total ? here({ page: page + 1 }) : undefined,
})}`,
      tables,
      json: { operation: "getSnapshot", given: { envName: environment, snapshotExpression: String(index) } },
      howTo: reportStep({ name: environment, type: snapshot.type }, request),
      // The environments that a logical one is made of may change, and all of its snapshots with them.
      ...(snapshot.isLatest || snapshot.type === "logical" ? {} : { isFinal: true as const }),
    };
  },
});

function groupOf({ annotation }: Running): Group {
  if (annotation === null || annotation === undefined) return "unchanged";
  if (annotation.now === 0 || annotation.type === "exited") return "exited";
  return annotation.type.startsWith("started") ? "started" : "changed";
}

/** What stayed as it was is folded. */
function groupHtml({ id, count, html: content }: Table): Html {
  if (id !== "unchanged") return content;
  return html`<details><summary>${count} unchanged</summary>${content}</details>`;
}

function countsSentence(counts: Readonly<Record<string, number>>): string {
  const { true: right = 0, false: wrong = 0, null: unknown = 0 } = counts;
  const parts = [
    [wrong, "not compliant"],
    [right, "compliant"],
    [unknown, "not judged"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? "Nothing ran." : `Artifacts: ${said.join(", ")}.`;
}

function policiesOf(
  applied: readonly Readonly<Record<string, unknown>>[] | null | undefined,
  { to, may }: Pick<PageRequest, "to" | "may">,
): Html | undefined {
  const named = (applied ?? []).flatMap((each) => {
    const name = each["policy_name"] ?? each["policyName"] ?? each["name"];
    const version = each["policy_version"] ?? each["policyVersion"] ?? each["version"];
    return typeof name === "string" ? [{ name, version }] : [];
  });
  if (named.length === 0) return undefined;
  return html`<ul class="plain">${named.map(({ name, version }) => html`<li>${may("getPolicy") ? link(to.page("policies", name), name) : text(name)}${typeof version === "number" ? ` version ${version}` : ""}</li>`)}</ul>`;
}
