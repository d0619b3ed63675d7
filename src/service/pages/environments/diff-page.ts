import { Invalid, NotFound, Refusal } from "../../kernel/errors.ts";
import { type AnsweredBy, type GivenTo, ifFound } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { field, questionForm, refusalAlert } from "../parts/form.ts";
import { html, link, text } from "../parts/html.ts";
import { serviceIn } from "../parts/image-name.ts";
import { compareLink } from "../parts/links.ts";
import {
  addressCell,
  complianceCell,
  digestCell,
  linkCell,
  type Table,
  table,
  wordCell,
} from "../parts/table.ts";

type Diff = AnsweredBy<"diffSnapshots">;
type Artifact = Diff["changed"]["artifacts"][number];

export const diffPage = definePage({
  path: "/:org/diff",
  audience: "everybody",
  async show(request) {
    const { call, query, here } = request;
    const [a, b] = [query.get("a") ?? "", query.get("b") ?? ""];
    const selectors = questionForm(
      html`${field({ name: "a", label: "From", value: a, isRequired: true, hint: "prod, prod#10, prod~2 or prod@{2.days.ago}" })}
${field({ name: "b", label: "To", value: b, isRequired: true })}`,
      "Compare snapshots",
      "Compare",
    );
    if (a === "" || b === "") return { title: "Compare", main: selectors, howTo: HOW_TO };
    const given = { snappish1: a, snappish2: b };
    const diff = await diffOf(call, given);
    if (diff instanceof Refusal)
      return { title: "Compare", main: html`${refusalAlert(diff)}${selectors}`, howTo: HOW_TO, status: 400 };
    const [states, others] = await Promise.all([
      statesIn(diff.snappish1.snapshotId, request),
      statesIn(diff.snappish2.snapshotId, request),
    ]);
    const { changed, added, removed } = pairsIn(diff);
    const pairs = pairTable(changed, { states, others }, request);
    const tables = [
      pairs,
      artifactTable("added", "Added", added, request),
      artifactTable("removed", "Removed", removed, request),
      artifactTable("scaled", "Other number of instances", diff.changed.artifacts, request),
    ];
    const same = artifactTable("same", "Same in both", diff.notChanged.artifacts, request);
    return {
      title: "Compare",
      main: html`<p class="lead">${sentence(diff)}</p>
${selectors}
<p><a href="${here({ a: b, b: a })}">Swap</a></p>
${tables.map((each) => (each.count === 0 ? "" : each.html))}
${same.count === 0 ? "" : html`<details><summary>${same.count} same in both</summary>${same.html}</details>`}`,
      tables: [...tables, same],
      json: { operation: "diffSnapshots", given },
      howTo: HOW_TO,
    };
  },
});

interface Pair {
  readonly service: string;
  readonly before: Artifact;
  readonly after: Artifact;
}

/** Pairs the artifacts of one service that run in only one of the snapshots. */
function pairsIn({ snappish1, snappish2 }: Diff) {
  const before = Map.groupBy(snappish1.artifacts, ({ name }) => serviceIn(name).service);
  const changed: Pair[] = [];
  const added: Artifact[] = [];
  for (const after of snappish2.artifacts) {
    const { service } = serviceIn(after.name);
    const replaced = before.get(service)?.shift();
    if (replaced === undefined) added.push(after);
    else changed.push({ service, before: replaced, after });
  }
  return { changed, added, removed: [...before.values()].flat() };
}

const COMPARED = 200;

/** Compliance of the first artifacts of a snapshot such as `prod#10`, by fingerprint. */
async function statesIn(
  snapshot: string | null | undefined,
  { call, may }: PageRequest,
): Promise<ReadonlyMap<string, boolean | null | undefined>> {
  const [, envName, index] = /^(.+)#(\d+)$/.exec(snapshot ?? "") ?? [];
  if (envName === undefined || index === undefined || !may("getSnapshot", { envName })) return new Map();
  const given = { envName, snapshotExpression: index, page: 1, perPage: COMPARED };
  const found = await ifFound(call("getSnapshot", given));
  return new Map(found?.artifacts.map(({ fingerprint, compliant }) => [fingerprint, compliant]));
}

type States = Awaited<ReturnType<typeof statesIn>>;

function pairTable(
  rows: readonly Pair[],
  { states, others }: { states: States; others: States },
  request: PageRequest,
): Table {
  return table<Pair>(request, {
    id: "changed",
    caption: "Changed",
    columns: {
      Service: ({ service }) => service,
      Before: ({ before }) => versionCell(before, request),
      After: ({ after }) => versionCell(after, request),
      Code: ({ before, after }) =>
        addressCell(
          before.commitUrl && after.commitUrl ? compareLink(before.commitUrl, after.commitUrl) : undefined,
          "Commits",
        ),
      "Result before": ({ before }) => stateCell(states.get(before.fingerprint)),
      "Result after": ({ after }) => stateCell(others.get(after.fingerprint)),
      Instances: ({ before, after }) => wordCell(changeOf(instancesOf(before), instancesOf(after))),
    },
    rows,
    empty: "None.",
  });
}

function versionCell({ name, flow, fingerprint }: Artifact, { to }: PageRequest) {
  const version = serviceIn(name).version || fingerprint.slice(0, 12);
  const shown = flow ? link(to.page("flows", flow, "artifacts", fingerprint), version) : text(version);
  return { html: shown, csv: name };
}

function stateCell(state: boolean | null | undefined) {
  return state === undefined ? null : complianceCell(state);
}

function changeOf(before: string, after: string): string {
  return before === after ? after : `${before} → ${after}`;
}

/** Compares two snapshots. Returns the refusal if an expression is invalid or matches no snapshot. */
async function diffOf(call: PageRequest["call"], given: GivenTo<"diffSnapshots">): Promise<Diff | Refusal> {
  try {
    return await call("diffSnapshots", given);
  } catch (error) {
    if (error instanceof Invalid || error instanceof NotFound) return error;
    throw error;
  }
}

const HOW_TO = {
  title: "Compare on the command line",
  code: "delivery-evidence call diffSnapshots snappish1=staging snappish2=prod",
};

function sentence(diff: Diff): string {
  const { snappish1, snappish2, changed, notChanged } = diff;
  const pairs = pairsIn(diff);
  const [left, right] = [snappish1.artifacts.length, snappish2.artifacts.length];
  if (left + right + changed.artifacts.length === 0) {
    return notChanged.artifacts.length === 0 ? "Nothing runs in either." : "Both run the same artifacts.";
  }
  const parts = [
    [pairs.changed.length, "changed"],
    [pairs.added.length, "added"],
    [pairs.removed.length, "removed"],
    [changed.artifacts.length, "with another number of instances"],
    [notChanged.artifacts.length, "the same"],
  ] as const;
  return `${parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ")}.`;
}

function artifactTable(id: string, caption: string, artifacts: readonly Artifact[], request: PageRequest) {
  const { to } = request;
  return table<Artifact>(request, {
    id,
    caption,
    columns: {
      Artifact: ({ name }) => name,
      Fingerprint: ({ fingerprint }) => digestCell(fingerprint),
      Flow: ({ flow, fingerprint }) =>
        flow && linkCell(to.page("flows", flow, "artifacts", fingerprint), flow),
      Commit: ({ commitUrl }) => addressCell(commitUrl, "View"),
      Instances: (each) => wordCell(instancesOf(each)),
    },
    rows: artifacts,
    empty: "None.",
  });
}

function instancesOf({ instanceCount, s1InstanceCount, s2InstanceCount }: Artifact): string {
  if (
    typeof s1InstanceCount === "number" &&
    typeof s2InstanceCount === "number" &&
    s1InstanceCount !== s2InstanceCount
  ) {
    return `${s1InstanceCount} → ${s2InstanceCount}`;
  }
  return String(instanceCount ?? s1InstanceCount ?? s2InstanceCount ?? "");
}
