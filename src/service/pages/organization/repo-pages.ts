import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import { definePage, type PageRequest } from "../page.ts";
import { artifactTable } from "../parts/artifact-table.ts";
import { digest } from "../parts/digest.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { link, safeLink } from "../parts/link.ts";
import { pageNumberIn, ROWS } from "../parts/listed.ts";
import { type Table, table } from "../parts/table.ts";
import { longText, text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict, verdict } from "../parts/verdict.ts";
import { whileFull } from "../parts/while-full.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { secondsOf } from "../repos/seconds.ts";

type Live = AnsweredBy<"listLiveArtifacts">;
type Instance = Live["liveArtifacts"][number];

/** Of all that runs, as much as somebody reads. */
const SHOWN = 200;

/** A repository: what of it runs where, and what was built of it. */
export const repoPage = definePage({
  path: "/:org/repos/:name{.+}",
  audience: "everybody",
  async show(request) {
    const { params, ask, query, to } = request;
    const id = query.get("id");
    const repo = await ask("getRepo", { repoName: params.name, ...(id ? { id } : {}) });
    const byName = { repoName: repo.name, ...(repo.provider ? { provider: repo.provider } : {}) };
    const page = pageNumberIn(query);
    const [live, built] = await Promise.all([
      ask("listLiveArtifacts", byName),
      ask("listArtifacts", { repoName: repo.name, page, perPage: ROWS }),
    ]);
    const running = liveTable(live, request);
    const howTo = {
      title: "Report an artifact of the repository, in one of its workflows",
      code: workflowStep(
        "attest",
        { kind: "artifact", name: "app", flow: "web", trail: "${{ github.sha }}", artifact: "dist/app.tgz" },
        request,
      ),
    };
    const artifacts = artifactTable(
      {
        caption: "Built of it, the newest first",
        artifacts: built,
        empty: page > 1 ? empty("There are no more.") : empty("No artifact of it was reported yet.", howTo),
      },
      request,
    );
    const count = live.liveArtifacts.length;
    return {
      title: `Repository ${repo.name}`,
      above: [{ name: "Repositories", href: to.page("repos") }],
      main: html`${repo.description ? longText(repo.description) : ""}
${facts([
  ["Address", safeLink(repo.url)],
  ["Provider", repo.provider],
  ["Provider's own id", repo.repoId ? text(repo.repoId) : ""],
  ["Latest activity", time(secondsOf(repo.latestActivity))],
  ["Tags", tagsText(repo.tags)],
])}
<h2>What runs</h2>
${running.html}
${count > SHOWN ? html`<p>${count - SHOWN} more run.</p>` : ""}
<h2>What was built</h2>
${artifacts.html}${whileFull(built, request)}`,
      tables: [running, artifacts],
      json: { operation: "listLiveArtifacts", given: byName },
      howTo,
    };
  },
});

function liveTable({ liveArtifacts, _embedded }: Live, { to, here }: PageRequest): Table {
  const artifacts = new Map(_embedded?.artifacts.map((artifact) => [artifact.id, artifact]));
  const environments = new Map(_embedded?.environments.map(({ id, name }) => [id, name]));
  const artifactOf = ({ artifactId }: Instance) => artifacts.get(artifactId);
  const placeOf = ({ environmentId }: Instance) => environments.get(environmentId) ?? "";
  return table({
    id: "running",
    caption: "Where it runs",
    columns: [
      {
        head: "Environment",
        cell: (each) => link(to.page("environments", placeOf(each)), placeOf(each)),
        csv: placeOf,
      },
      {
        head: "Artifact",
        cell: ({ artifactName }) => text(artifactName),
        csv: ({ artifactName }) => artifactName,
      },
      {
        head: "Fingerprint",
        cell: (each) => digest(artifactOf(each)?.fingerprint ?? ""),
        csv: (each) => artifactOf(each)?.fingerprint,
      },
      {
        head: "Commit",
        cell: (each) => digest(artifactOf(each)?.commitSha ?? ""),
        csv: (each) => artifactOf(each)?.commitSha,
      },
      {
        head: "State",
        cell: ({ compliance }) =>
          compliance === "COMPLIANT" || compliance === "NON-COMPLIANT"
            ? verdict(compliance)
            : complianceVerdict(null),
        csv: ({ compliance }) => compliance ?? "UNKNOWN",
      },
      { head: "Since", cell: ({ startedAt }) => time(startedAt), csv: ({ startedAt }) => utc(startedAt) },
      {
        head: "Snapshot",
        cell: (each) =>
          link(
            to.page("environments", placeOf(each), "snapshots", each.snapshotIndex),
            String(each.snapshotIndex),
          ),
        csv: ({ snapshotIndex }) => snapshotIndex,
      },
    ],
    rows: liveArtifacts.slice(0, SHOWN),
    empty: empty("Nothing of it runs, by the latest snapshots."),
    here,
  });
}

function tagsText(tags: Readonly<Record<string, string>> | null | undefined) {
  const all = Object.entries(tags ?? {});
  return all.length === 0 ? "" : text(all.map(([key, value]) => `${key}=${value}`).join(", "));
}
