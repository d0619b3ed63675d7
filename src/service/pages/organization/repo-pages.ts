import { Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, facts } from "../parts/blocks.ts";
import { choiceFilter, filterBar, tagFilter, textFilter } from "../parts/filter-bar.ts";
import { html, link, longText, safeLink, text } from "../parts/html.ts";
import { flowNames, OF_FLOW } from "../parts/known-names.ts";
import { countedPage, numberedPage, pageNumberIn, ROWS, sortingIn } from "../parts/lists.ts";
import { artifactTable } from "../parts/records.ts";
import {
  addressCell,
  digestCell,
  linkCell,
  type Table,
  table,
  timeCell,
  verdictCell,
} from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";

export const reposPage = definePage({
  path: "/:org/repos",
  audience: "everybody",
  async show(request) {
    const { call, query, to } = request;
    const sorting = sortingIn(["name"], request);
    const { providers } = await call("listRepoFilterOptions", {});
    const filters = {
      name: textFilter("Part of the name"),
      provider: choiceFilter("Provider", providers),
      namespace: textFilter("Group or owner", { hint: "Whole name, with its groups" }),
      tag: tagFilter(),
    };
    const bar = filterBar("Filter repositories", filters, request);
    const found = await bar.find(async ({ name, provider, namespace, tag }) => {
      const given = {
        ...(name === "" ? {} : { search: name }),
        ...(provider === "" ? {} : { provider }),
        ...(namespace === "" ? {} : { namespace }),
        ...(tag === "" ? {} : { tag: [tag] }),
        ...{ sortDirection: sorting.sortDirection, page: pageNumberIn(query), perPage: ROWS },
      };
      return { given, answer: await call("listRepos", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Repositories" }, found);
    const list = countedPage(found.answer.repos, found.answer, request);
    const howTo = {
      title: "Start a trail, which records the repository of its workflow",
      code: workflowStep("begin-trail", { flow: "web", trail: "${{ github.sha }}" }, request),
    };
    const repos = table(request, {
      id: "repos",
      caption: "Repositories",
      position: list.count,
      columns: {
        Name: {
          cell: ({ name, id }) =>
            linkCell(
              `${to.page("repos", ...name.split("/"))}${id ? `?id=${encodeURIComponent(id)}` : ""}`,
              name,
            ),
          sorted: sorting.by("name"),
        },
        Provider: ({ provider }) => provider,
        Address: ({ url }) => addressCell(url),
        "Latest activity": ({ latestActivity: at }) => ({ html: time(secondsOf(at)), csv: at }),
        Description: ({ description }) => description,
      },
      rows: list.rows,
      empty: list.empty(bar.empty("repositories", empty("No repositories yet.", howTo))),
    });
    return {
      title: "Repositories",
      main: html`${bar.html}
${repos.html}${list.pager}`,
      tables: [repos],
      json: { operation: "listRepos", given: found.given },
      howTo,
    };
  },
});

/** Unix seconds of a time such as `2026-01-31T12:00:00.000Z`. */
function secondsOf(moment: string | null | undefined): number | undefined {
  return moment ? Date.parse(moment) / 1000 : undefined;
}

type Live = AnsweredBy<"listLiveArtifacts">;
type Instance = Live["liveArtifacts"][number];

const SHOWN = 200;

export const repoPage = definePage({
  path: "/:org/repos/:name{.+}",
  audience: "everybody",
  async show(request) {
    const { params, call, query, to } = request;
    const id = query.get("id");
    const repo = await call("getRepo", { repoName: params.name, ...(id ? { id } : {}) });
    const byId = { repoName: repo.name, ...(repo.id ? { id: repo.id } : {}) };
    const title = `Repository ${repo.name}`;
    const above = [["Repositories", to.page("repos")]] as const;
    const [live, flows] = await Promise.all([call("listLiveArtifacts", byId), flowNames(request)]);
    const bar = filterBar("Filter artifacts", { flow: choiceFilter("Flow", flows, OF_FLOW) }, request);
    const place = { page: pageNumberIn(query), perPage: ROWS };
    const built = await bar.find(({ flow }) =>
      call("listArtifacts", { repoName: repo.name, ...(flow === "" ? {} : { flowName: flow }), ...place }),
    );
    if (built instanceof Refusal) return bar.refused({ title, above }, built);
    const list = numberedPage(built, { ...place, hasMore: built.length === ROWS }, request);
    const running = liveTable(live, request);
    const howTo = {
      title: "Report an artifact in a workflow of the repository",
      code: workflowStep(
        "attest",
        { kind: "artifact", name: "app", flow: "web", trail: "${{ github.sha }}", artifact: "dist/app.tgz" },
        request,
      ),
    };
    const artifacts = artifactTable(request, {
      caption: "Artifacts built from this repository, newest first",
      position: list.count,
      rows: built,
      empty: list.empty(bar.empty("artifacts", empty("No artifacts reported yet.", howTo))),
    });
    const count = live.liveArtifacts.length;
    return {
      title,
      above,
      main: html`${longText(repo.description)}
${facts([
  ["Address", safeLink(repo.url)],
  ["Provider", repo.provider],
  ["Provider id", repo.repoId ? text(repo.repoId) : ""],
  ["Latest activity", time(secondsOf(repo.latestActivity))],
  ["Tags", tagsText(repo.tags)],
  [
    "Deployments",
    request.may("listDeployments")
      ? link(`${to.page("deployments")}?repo=${encodeURIComponent(repo.name)}`, "All deployments")
      : "",
  ],
])}
<h2>Running artifacts</h2>
${running.html}
${count > SHOWN ? html`<p>${count - SHOWN} more are running.</p>` : ""}
<h2>Built artifacts</h2>
${bar.html}
${artifacts.html}${list.pager}`,
      tables: [running, artifacts],
      json: { operation: "listLiveArtifacts", given: byId },
      howTo,
    };
  },
});

function liveTable({ liveArtifacts, _embedded }: Live, request: PageRequest): Table {
  const { to } = request;
  const artifacts = new Map(_embedded?.artifacts.map((artifact) => [artifact.id, artifact]));
  const environments = new Map(_embedded?.environments.map(({ id, name }) => [id, name]));
  const artifactOf = ({ artifactId }: Instance) => artifacts.get(artifactId);
  const placeOf = ({ environmentId }: Instance) => environments.get(environmentId) ?? "";
  return table(request, {
    id: "running",
    caption: "Running instances",
    columns: {
      Environment: (each) => linkCell(to.page("environments", placeOf(each)), placeOf(each)),
      Artifact: ({ artifactName }) => artifactName,
      Fingerprint: (each) => digestCell(artifactOf(each)?.fingerprint),
      Commit: (each) => digestCell(artifactOf(each)?.commitSha),
      State: ({ compliance }) =>
        compliance === "COMPLIANT" || compliance === "NON-COMPLIANT"
          ? verdictCell(compliance)
          : { html: complianceVerdict(null), csv: compliance ?? "UNKNOWN" },
      Since: ({ startedAt }) => timeCell(startedAt),
      Snapshot: (each) => {
        const { snapshotIndex: index } = each;
        return linkCell(to.page("environments", placeOf(each), "snapshots", index), String(index));
      },
    },
    rows: liveArtifacts.slice(0, SHOWN),
    empty: "None in the latest snapshots.",
  });
}

function tagsText(tags: Readonly<Record<string, string>> | null | undefined) {
  const all = Object.entries(tags ?? {});
  return all.length === 0 ? "" : text(all.map(([key, value]) => `${key}=${value}`).join(", "));
}
