import { Invalid, NotFound, Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy, GivenTo } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { field, filter, refusalAlert } from "../parts/form.ts";
import { type Html, html, list, safeLink } from "../parts/html.ts";
import { compareLink } from "../parts/links.ts";
import { addressCell, digestCell, linkCell, table, wordCell } from "../parts/table.ts";

type Diff = AnsweredBy<"diffSnapshots">;
type Artifact = Diff["changed"]["artifacts"][number];

export const diffPage = definePage({
  path: "/:org/diff",
  audience: "everybody",
  async show(request) {
    const { call, query, here } = request;
    const [a, b] = [query.get("a") ?? "", query.get("b") ?? ""];
    const selectors = filter(
      html`${field({ name: "a", label: "From", value: a, isRequired: true, hint: "prod, prod#10, prod~2 or prod@{2.days.ago}" })}
${field({ name: "b", label: "To", value: b, isRequired: true })}`,
      "Compare snapshots",
    );
    if (a === "" || b === "") return { title: "Compare", main: selectors, howTo: HOW_TO };
    const given = { snappish1: a, snappish2: b };
    const diff = await diffOf(call, given);
    if (diff instanceof Refusal)
      return { title: "Compare", main: html`${refusalAlert(diff)}${selectors}`, howTo: HOW_TO, status: 400 };
    const [first, second] = [diff.snappish1, diff.snappish2];
    const tables = [
      artifactTable("left", `Only in ${first.snapshotId ?? a}`, first.artifacts, request),
      artifactTable("right", `Only in ${second.snapshotId ?? b}`, second.artifacts, request),
      artifactTable(
        "changed",
        "In both, with a different number of instances",
        diff.changed.artifacts,
        request,
      ),
    ];
    const same = artifactTable("same", "Identical in both", diff.notChanged.artifacts, request);
    return {
      title: "Compare",
      main: html`<p class="lead">${sentence(diff)}</p>
${selectors}
<p><a href="${here({ a: b, b: a })}">Swap</a></p>
${codeLinks(first.artifacts, second.artifacts)}
${tables.map((each) => (each.count === 0 ? "" : each.html))}
${same.count === 0 ? "" : html`<details><summary>${same.count} identical in both</summary>${same.html}</details>`}`,
      tables: [...tables, same],
      json: { operation: "diffSnapshots", given },
      howTo: HOW_TO,
    };
  },
});

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

function sentence({ snappish1, snappish2, changed, notChanged }: Diff): string {
  const [left, right] = [snappish1.artifacts.length, snappish2.artifacts.length];
  if (left + right + changed.artifacts.length === 0) {
    return notChanged.artifacts.length === 0 ? "Nothing runs in either." : "Both run the same artifacts.";
  }
  return `${left} only in the first, ${right} only in the second, ${changed.artifacts.length} in both with a different number of instances.`;
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

function codeLinks(left: readonly Artifact[], right: readonly Artifact[]): Html {
  const links = left.flatMap(({ name, commitUrl }) => {
    const other = right.find((each) => each.name === name);
    const address = commitUrl && other?.commitUrl ? compareLink(commitUrl, other.commitUrl) : undefined;
    return address === undefined ? [] : [safeLink(address, name)];
  });
  return links.length === 0 ? html`` : html`<h2>Code changes</h2>${list(links)}`;
}
