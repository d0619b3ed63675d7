import { type AnsweredBy, ifFound } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { html, link } from "../parts/html.ts";
import { badgeCell, digestCell, linkCell, table } from "../parts/table.ts";

type Artifact = AnsweredBy<"searchSha">["artifacts"][number];

/** Artifacts whose fingerprint or commit starts with a value. */
export async function artifactsOf(searchValue: string, { call }: PageRequest): Promise<readonly Artifact[]> {
  return (await ifFound(call("searchSha", { searchValue })))?.artifacts ?? [];
}

export function artifactHits(artifacts: readonly Artifact[], request: PageRequest) {
  const { to } = request;
  const environment = (name: string) => html`${link(to.page("environments", name), name)} `;
  return table(request, {
    id: "by-sha",
    caption: "By fingerprint or commit",
    columns: {
      Artifact: ({ flow, fingerprint, name }) =>
        flow ? linkCell(to.page("flows", flow, "artifacts", fingerprint), name) : name,
      Fingerprint: ({ fingerprint }) => digestCell(fingerprint),
      Commit: ({ gitCommit }) => digestCell(gitCommit),
      Flow: ({ flow }) =>
        flow ? linkCell(to.page("flows", flow), flow) : { html: "Unknown origin", csv: flow },
      State: ({ complianceState: state }) =>
        badgeCell(state ?? "UNKNOWN", TONES.get(state ?? "") ?? "unknown"),
      "Runs in": ({ runningIn: names }) => ({
        html: html`${names.map(environment)}`,
        csv: names.join(" "),
      }),
    },
    rows: artifacts,
    empty: "",
  });
}

const TONES = new Map([
  ["COMPLIANT", "ok"],
  ["NON-COMPLIANT", "fail"],
  ["INCOMPLETE", "warn"],
] as const satisfies [string, string][]) as ReadonlyMap<string, "ok" | "fail" | "warn">;
