import { type AnsweredBy, ifFound } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { field, filter } from "../parts/form.ts";
import { type Html, html, link, text } from "../parts/html.ts";
import { badgeCell, digestCell, linkCell, table, wordCell } from "../parts/table.ts";

/** The start of a fingerprint or a commit. */
const SHA = /^[a-f0-9]{5,64}$/i;
const ATTESTATION = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/;
/** Maximum length of a name. */
const MAX_NAME = 255;
const HITS = 20;

interface Hit {
  readonly kind: string;
  readonly name: string;
  readonly href: string;
}

type Artifact = AnsweredBy<"searchSha">["artifacts"][number];

/** Finds artifacts by fingerprint or commit, attestations by id, and other records by a part of their name. */
export const searchPage = definePage({
  path: "/:org/search",
  audience: "everybody",
  async show(request) {
    const { query, to } = request;
    const term = (query.get("q") ?? "").trim();
    // Accepts fingerprints as images and actions write them: `sha256:…` and `name@sha256:…`.
    const sha = term.replace(/^.*sha256:/, "");
    const form = filter(
      field({ name: "q", label: "Commit, fingerprint, or part of a name", value: term, type: "search" }),
      "Search",
    );
    if (term === "") return { title: "Search", main: form, howTo: HOW_TO };
    const [artifacts, named] = await Promise.all([
      SHA.test(sha) ? artifactsOf(sha, request) : [],
      term.length > MAX_NAME ? [] : hitsOf(term, request),
    ]);
    const only = onlyHit(artifacts, named, request);
    if (only !== undefined) return { redirect: only };
    const hits = artifactHits(artifacts, request);
    const names = table(request, {
      id: "names",
      caption: "Names",
      columns: { Name: ({ href, name }) => linkCell(href, name), Kind: ({ kind }) => wordCell(kind) },
      rows: named,
      empty: "",
    });
    const nothing = artifacts.length + named.length === 0;
    return {
      title: "Search",
      main: html`${form}
${nothing ? nothingFound(term, SHA.test(sha)) : ""}
${artifacts.length === 0 ? "" : hits.html}
${named.length === 0 ? "" : names.html}`,
      tables: [hits, names],
      ...(SHA.test(sha) ? { json: { operation: "searchSha" as const, given: { searchValue: sha } } } : {}),
      howTo: HOW_TO,
    };
    function nothingFound(value: string, isSha: boolean): Html {
      return html`<p class="lead">No results for ${text(value)}.</p>
<p>${isSha ? "No artifact has a fingerprint or commit that starts with this." : "Fingerprints and commits were not searched, because they need 5 to 64 hexadecimal characters."}</p>
<p>No flow, environment, repository, control or policy has this in its name. To find a trail, open its <a href="${to.page("flows")}">flow</a>.</p>`;
    }
  },
});

const HOW_TO = {
  title: "Search on the command line",
  code: "npx delivery-evidence call searchSha search_value=0d1f6a",
};

async function artifactsOf(searchValue: string, { call }: PageRequest): Promise<readonly Artifact[]> {
  return (await ifFound(call("searchSha", { searchValue })))?.artifacts ?? [];
}

async function hitsOf(word: string, { call, may, to }: PageRequest): Promise<Hit[]> {
  const isPart = (name: string) => name.toLowerCase().includes(word.toLowerCase());
  const [flows, environments, { repos }, { controls }, policies, attestations] = await Promise.all([
    call("listFlows", { searchByName: word, caseSensitive: false, page: 1, perPage: HITS }),
    call("listEnvironments", { name: word, page: 1, perPage: HITS }),
    may("listRepos") ? call("listRepos", { search: word, page: 1, perPage: HITS }) : { repos: [] },
    may("listControls") ? call("listControls", { search: word, page: 1, perPage: HITS }) : { controls: [] },
    may("listPolicies") ? call("listPolicies", {}) : [],
    ATTESTATION.test(word) ? call("listAttestations", { attestationId: word }) : { data: [] },
  ]);
  const hits = (kind: string, names: readonly string[], hrefOf: (name: string) => string): Hit[] =>
    names.map((name) => ({ kind, name, href: hrefOf(name) }));
  const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  return [
    ...attestations.data.flatMap(({ attestationId: id, attestationName: name, flowName, trailName }) =>
      flowName && trailName
        ? [
            {
              kind: "Attestation",
              name,
              href: `${to.page("flows", flowName, "trails", trailName)}?attestation_id=${id}`,
            },
          ]
        : [],
    ),
    ...hits("Flow", namesOf("data" in flows ? flows.data : flows), (name) => to.page("flows", name)),
    ...hits(
      "Environment",
      namesOf(Array.isArray(environments) ? environments : environments.environments),
      (name) => to.page("environments", name),
    ),
    ...hits("Repository", namesOf(repos), (name) => to.page("repos", ...name.split("/"))),
    ...hits(
      "Control",
      controls.map(({ identifier }) => identifier),
      (id) => to.page("controls", id),
    ),
    ...hits("Policy", namesOf(policies).filter(isPart).slice(0, HITS), (name) => to.page("policies", name)),
  ];
}

function onlyHit(artifacts: readonly Artifact[], named: readonly Hit[], { to }: PageRequest) {
  if (artifacts.length + named.length !== 1) return undefined;
  const [artifact] = artifacts;
  if (artifact?.flow) return to.page("flows", artifact.flow, "artifacts", artifact.fingerprint);
  return named[0]?.href;
}

function artifactHits(artifacts: readonly Artifact[], request: PageRequest) {
  const { to } = request;
  const environment = (name: string) => html`${link(to.page("environments", name), name)} `;
  return table(request, {
    id: "artifacts",
    caption: "Artifacts",
    columns: {
      Artifact: ({ flow, fingerprint, name }) =>
        flow ? linkCell(to.page("flows", flow, "artifacts", fingerprint), name) : name,
      Fingerprint: ({ fingerprint }) => digestCell(fingerprint),
      Commit: ({ gitCommit }) => digestCell(gitCommit),
      Flow: ({ flow }) =>
        flow ? linkCell(to.page("flows", flow), flow) : { html: "Unknown origin", csv: flow },
      Trail: ({ flow, trail }) =>
        flow && trail ? linkCell(to.page("flows", flow, "trails", trail), trail) : { html: "", csv: trail },
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
