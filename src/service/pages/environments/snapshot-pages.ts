import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, facts } from "../parts/blocks.ts";
import { type Html, html, plainList, text } from "../parts/html.ts";
import { crumbs, linkIf } from "../parts/links.ts";
import { pageNumberIn, pagerWhile, ROWS } from "../parts/lists.ts";
import { originFacts } from "../parts/records.ts";
import { complianceCell, linkCell, type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { duration, time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { type Running, reportStep, runningTable } from "./running-table.ts";

export const snapshotsPage = definePage({
  path: "/:org/environments/:environment/snapshots",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, call, to, query } = request;
    const page = pageNumberIn(query);
    const given = { envName: params.environment, page, perPage: ROWS };
    const snapshots = await call("listSnapshots", given);
    const listed = snapshotTable(request, {
      environment: params.environment,
      rows: snapshots,
      empty: "No snapshots.",
    });
    // Indexes start at 1, so the index of the last row shows whether there are more.
    const hasMore = (snapshots.at(-1)?.index ?? 1) > 1;
    return {
      title: "Snapshots",
      above: crumbs(to, "Environments", "environments", params.environment),
      main: html`${listed.html}${pagerWhile(hasMore, request)}`,
      tables: [listed],
      json: { operation: "listSnapshots", given },
      howTo: {
        title: "List the latest snapshots on the command line",
        code: `npx delivery-evidence call listSnapshots env_name=${params.environment} interval=~5..NOW`,
      },
    };
  },
});

type Listed = AnsweredBy<"listSnapshots">[number];

export function snapshotTable(
  request: PageRequest,
  { environment, ...shape }: { environment: string; rows: readonly Listed[]; empty: string },
): Table {
  const { to, now, mayOpen } = request;
  const isCompared = shape.rows.length > 1 && mayOpen("diffSnapshots");
  const listed = table<Listed>(request, {
    ...shape,
    id: "snapshots",
    caption: "Snapshots, newest first",
    columns: {
      Snapshot: ({ index }) =>
        linkCell(to.page("environments", environment, "snapshots", index), String(index)),
      State: ({ state }) => complianceCell(state),
      From: ({ from }) => timeCell(from),
      To: (each) => (each.to === 0 ? wordCell("now") : timeCell(each.to)),
      Duration: (each) => ({ html: duration(secondsOf(each, now)), csv: Math.round(secondsOf(each, now)) }),
      ...(isCompared ? { Compare: { cell: (each) => picks(each), isForForms: true } } : {}),
    },
  });
  if (!isCompared) return listed;
  const form = html`<form action="${to.page("diff")}" aria-label="Compare two snapshots">
${listed.html}
<p><button type="submit">Compare the two picked snapshots</button></p>
</form>`;
  return { ...listed, html: form };

  /** The latest two are picked first. */
  function picks({ index }: Listed): Html {
    const value = `${environment}#${index}`;
    const pick = (name: string, label: string, at: number) => {
      const checked = shape.rows[at]?.index === index ? html` checked` : "";
      return html`<label class="pick"><input type="radio" name="${name}" value="${value}"${checked}> ${label}<span class="unseen"> snapshot ${index}</span></label>`;
    };
    return html`${pick("a", "from", 1)} ${pick("b", "to", 0)}`;
  }
}

function secondsOf({ from, to }: Listed, now: number): number {
  return Math.max(0, (to === 0 ? now : to) - from);
}

const ARTIFACTS = 200;

const GROUPS = [
  ["started", "Started"],
  ["changed", "Changed"],
  ["exited", "Exited"],
  ["unchanged", "Unchanged"],
] as const;
type Group = (typeof GROUPS)[number][0];

export const snapshotPage = definePage({
  path: "/:org/environments/:environment/snapshots/:snapshot{.+}",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, call, mayOpen, to, query, now } = request;
    const { environment } = params;
    const page = pageNumberIn(query);
    const given = { envName: environment, snapshotExpression: params.snapshot, page, perPage: ARTIFACTS };
    const snapshot = await call("getSnapshot", given);
    const path = (index: number) => to.page("environments", environment, "snapshots", index);
    // `~2` and `@{now}` refer to a different snapshot later.
    if (String(snapshot.index) !== params.snapshot) return { redirect: path(snapshot.index) };
    const { index, timestamp, nextSnapshotTimestamp: end, artifactComplianceCount: counts } = snapshot;
    const total = Object.values(counts).reduce((all, each) => all + each, 0);
    const tables = GROUPS.map(([group, caption]) => {
      const rows = snapshot.artifacts.filter((each) => groupOf(each) === group);
      return runningTable(request, { id: group, caption, rows, empty: "None." });
    }).filter(({ count }) => count > 0);
    return {
      title: `Snapshot ${index}`,
      above: [
        ...crumbs(to, "Environments", "environments", environment),
        ["Snapshots", to.page("environments", environment, "snapshots")],
      ],
      main: html`<p class="lead">${complianceVerdict(snapshot.state)} ${countsSentence(counts)}</p>
${facts([
  ["From", time(timestamp)],
  ["To", end ? time(end) : "now"],
  ["Duration", duration((end ?? now) - timestamp)],
  ["Type", text(snapshot.type)],
  ["Policies", policiesOf(snapshot.appliedPolicies, request)],
  ...originFacts(snapshot.origin, request),
])}
<nav class="pager" aria-label="Snapshots before and after">${index > 1 ? html`<a rel="prev" href="${path(index - 1)}">Snapshot ${index - 1}</a>` : ""}${snapshot.isLatest ? "" : html`<a rel="next" href="${path(index + 1)}">Snapshot ${index + 1}</a>`}${index > 1 && mayOpen("diffSnapshots") ? html`<a href="${to.page("diff")}?a=${encodeURIComponent(`${environment}#${index - 1}`)}&amp;b=${encodeURIComponent(`${environment}#${index}`)}">Compare with the previous snapshot</a>` : ""}</nav>
<h2>Artifacts</h2>
${tables.length === 0 ? empty("Nothing ran.") : tables.map(groupHtml)}
${pagerWhile(page * ARTIFACTS < total, request)}`,
      tables,
      json: { operation: "getSnapshot", given: { envName: environment, snapshotExpression: String(index) } },
      howTo: reportStep({ name: environment, type: snapshot.type }, request),
      // Snapshots of a logical environment change with its members.
      ...(snapshot.isLatest || snapshot.type === "logical" ? {} : { isFinal: true as const }),
    };
  },
});

function groupOf({ annotation }: Running): Group {
  if (annotation === null || annotation === undefined) return "unchanged";
  if (annotation.now === 0 || annotation.type === "exited") return "exited";
  return annotation.type.startsWith("started") ? "started" : "changed";
}

function groupHtml({ id, count, html: content }: Table): Html {
  if (id !== "unchanged") return content;
  return html`<details><summary>${count} unchanged</summary>${content}</details>`;
}

function countsSentence(counts: Readonly<Record<string, number>>): string {
  const { true: right = 0, false: wrong = 0, null: unknown = 0 } = counts;
  const parts = [
    [wrong, "not compliant"],
    [right, "compliant"],
    [unknown, "not evaluated"],
  ] as const;
  const phrases = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return phrases.length === 0 ? "Nothing ran." : `Artifacts: ${phrases.join(", ")}.`;
}

function policiesOf(
  applied: readonly Readonly<Record<string, unknown>>[] | null | undefined,
  { to, mayOpen }: PageRequest,
): Html | undefined {
  const named = (applied ?? []).flatMap((each) => {
    const name = each["policy_name"] ?? each["policyName"] ?? each["name"];
    const version = each["policy_version"] ?? each["policyVersion"] ?? each["version"];
    return typeof name === "string" ? [{ name, version }] : [];
  });
  return plainList(
    named.map(
      ({ name, version }) =>
        html`${linkIf(mayOpen("getPolicy"), to.page("policies", name), name)}${typeof version === "number" ? ` version ${version}` : ""}`,
    ),
  );
}
