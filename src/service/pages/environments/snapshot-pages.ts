import { Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, facts } from "../parts/blocks.ts";
import { filterBar, periodFilter } from "../parts/filter-bar.ts";
import { type Html, html, plainList, text } from "../parts/html.ts";
import { crumbs, linkIf } from "../parts/links.ts";
import { numberedPage, pageNumberIn, ROWS, sortingIn } from "../parts/lists.ts";
import { type AnyPeriod, lastMoment } from "../parts/period.ts";
import { originFacts } from "../parts/records.ts";
import {
  complianceCell,
  linkCell,
  type Sorted,
  type Table,
  type TableShape,
  table,
  timeCell,
  wordCell,
} from "../parts/table.ts";
import { duration, time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { type Running, reportStep, runningTable } from "./running-table.ts";

export const snapshotsPage = definePage({
  path: "/:org/environments/:environment/snapshots",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, call, to, query } = request;
    const { name: envName } = await call("getEnvironment", { envName: params.environment });
    const above = crumbs(to, "Environments", "environments", envName);
    const sorting = sortingIn(["index"], request, "desc");
    const bar = filterBar("Filter snapshots", { period: periodFilter() }, request);
    const found = await bar.find(async ({ period }) => {
      const given = {
        ...{ envName, interval: intervalOf(period), reverse: sorting.sortDirection === "asc" },
        ...{ page: pageNumberIn(query), perPage: ROWS },
      };
      const first = { ...given, page: 1, perPage: 1 };
      const [rows, [newest], [oldest]] = await Promise.all([
        call("listSnapshots", given),
        call("listSnapshots", { ...first, reverse: false }),
        call("listSnapshots", { ...first, reverse: true }),
      ]);
      // Indexes are consecutive.
      const total = newest && oldest ? newest.index - oldest.index + 1 : 0;
      return { given, list: numberedPage(rows, { ...given, total }, request) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Snapshots", above }, found);
    const { given, list } = found;
    const table = snapshotTable(request, {
      environment: envName,
      position: list.count,
      rows: list.rows,
      sorted: sorting.by("index"),
      empty: list.empty(bar.empty("snapshots", empty("No snapshots yet."))),
    });
    return {
      title: "Snapshots",
      above,
      main: html`${bar.html}
${table.html}${list.pager}`,
      tables: [table],
      json: { operation: "listSnapshots", given },
      howTo: {
        title: "List the latest snapshots on the command line",
        code: `npx delivery-evidence call listSnapshots env_name=${params.environment} interval=~5..NOW`,
      },
    };
  },
});

/** The snapshots that were current in a period. */
function intervalOf({ start, end }: AnyPeriod): string {
  const at = (seconds: number) => `@{${new Date(Math.round(seconds * 1000)).toISOString()}}`;
  return `${start === undefined ? "1" : at(start)}..${end === undefined ? "NOW" : at(lastMoment(end))}`;
}

type Listed = AnsweredBy<"listSnapshots">[number];

interface SnapshotTable extends Pick<TableShape<Listed>, "rows" | "position" | "empty"> {
  readonly environment: string;
  /** Set if the list can be sorted by index. */
  readonly sorted?: Sorted;
}

export function snapshotTable(request: PageRequest, { environment, sorted, ...shape }: SnapshotTable): Table {
  const { to, now, mayOpen } = request;
  const isCompared = shape.rows.length > 1 && mayOpen("diffSnapshots");
  const listed = table<Listed>(request, {
    ...shape,
    id: "snapshots",
    caption: "Snapshots",
    columns: {
      Snapshot: {
        cell: ({ index }) =>
          linkCell(to.page("environments", environment, "snapshots", index), String(index)),
        ...(sorted === undefined ? {} : { sorted }),
      },
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

  /** The first two are picked first. */
  function picks({ index }: Listed): Html {
    const value = `${environment}#${index}`;
    const firsts = shape.rows.slice(0, 2).map((each) => each.index);
    const pick = (name: string, label: string, picked: number) => {
      const checked = picked === index ? html` checked` : "";
      return html`<label class="pick"><input type="radio" name="${name}" value="${value}"${checked}> ${label}<span class="unseen"> snapshot ${index}</span></label>`;
    };
    return html`${pick("a", "from", Math.min(...firsts))} ${pick("b", "to", Math.max(...firsts))}`;
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
    const place = { page: pageNumberIn(query), perPage: ARTIFACTS };
    const given = { envName: environment, snapshotExpression: params.snapshot, ...place };
    const snapshot = await call("getSnapshot", given);
    const path = (index: number) => to.page("environments", environment, "snapshots", index);
    // `~2` and `@{now}` refer to a different snapshot later.
    if (String(snapshot.index) !== params.snapshot) return { redirect: path(snapshot.index) };
    const { index, timestamp, nextSnapshotTimestamp: end, artifactComplianceCount: counts } = snapshot;
    // The counts are without the stopped artifacts, which the pages have.
    const hasMore = snapshot.artifacts.length === ARTIFACTS;
    const list = numberedPage(snapshot.artifacts, { ...place, hasMore }, request);
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
${tables.length === 0 ? list.empty(empty("Nothing ran.")) : tables.map(groupHtml)}
${list.pager}`,
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
