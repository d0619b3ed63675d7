import { html } from "hono/html";
import { NotFound } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { digest } from "../parts/digest.ts";
import { field, filter } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { badge } from "../parts/verdict.ts";

/** The start of a fingerprint or a commit. */
const SHA = /^[a-f0-9]{5,64}$/i;
const ATTESTATION = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{8}$/;
/** No name is longer. */
const MAX_NAME = 255;
/** Hits of a kind that are listed. */
const HITS = 20;

/** Something that was found and has a page. */
interface Hit {
  readonly kind: string;
  readonly name: string;
  readonly href: string;
}

type Artifact = AnsweredBy<"searchSha">["artifacts"][number];

/** Finds artifacts by fingerprint or commit, an attestation by its id, and what has a word in its name. */
export const searchPage = definePage({
  path: "/:org/search",
  audience: "everybody",
  async show(request) {
    const { query, to, here } = request;
    const asked = (query.get("q") ?? "").trim();
    // As images and actions write fingerprints: `sha256:…` and `name@sha256:…`.
    const sha = asked.replace(/^.*sha256:/, "");
    const form = filter(
      field({ name: "q", label: "Commit, fingerprint, or part of a name", value: asked, type: "search" }),
      "Search",
    );
    if (asked === "") return { title: "Search", main: form, howTo: HOW_TO };
    const [artifacts, named] = await Promise.all([
      SHA.test(sha) ? artifactsOf(sha, request) : [],
      asked.length > MAX_NAME ? [] : hitsOf(asked, request),
    ]);
    const only = onlyHit(artifacts, named, request);
    if (only !== undefined) return { redirect: only };
    const found = artifactHits(artifacts, request);
    const names = table({
      id: "names",
      caption: "Names",
      columns: [
        { head: "Name", cell: ({ href, name }) => link(href, name), csv: ({ name }) => name },
        { head: "Kind", cell: ({ kind }) => kind, csv: ({ kind }) => kind },
      ],
      rows: named,
      empty: html``,
      here,
    });
    const nothing = artifacts.length + named.length === 0;
    return {
      title: "Search",
      main: html`${form}
${nothing ? nothingFound(asked, SHA.test(sha)) : ""}
${artifacts.length === 0 ? "" : found.html}
${named.length === 0 ? "" : names.html}`,
      tables: [found, names],
      ...(SHA.test(sha) ? { json: { operation: "searchSha" as const, given: { searchValue: sha } } } : {}),
      howTo: HOW_TO,
    };
    function nothingFound(value: string, isSha: boolean): Html {
      return html`<p class="lead">Nothing was found for ${text(value)}.</p>
<p>${isSha ? "No artifact has a fingerprint or commit that starts so." : "Fingerprints and commits were not searched: that takes 5 to 64 of the characters 0 to 9 and a to f."}</p>
<p>No flow, environment, repository, control or policy has it in its name. Trails are listed on the page of their <a href="${to.page("flows")}">flow</a>.</p>`;
    }
  },
});

const HOW_TO = {
  title: "Search on the command line",
  code: "npx delivery-evidence call searchSha search_value=0d1f6a",
};

async function artifactsOf(searchValue: string, { ask }: PageRequest): Promise<readonly Artifact[]> {
  try {
    return (await ask("searchSha", { searchValue })).artifacts;
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

/** Everything that has the word in its name, by kind; and the attestation of the id. */
async function hitsOf(word: string, { ask, may, to }: PageRequest): Promise<Hit[]> {
  const isPart = (name: string) => name.toLowerCase().includes(word.toLowerCase());
  const [flows, environments, { repos }, { controls }, policies, attestations] = await Promise.all([
    ask("listFlows", { searchByName: word, caseSensitive: false, page: 1, perPage: HITS }),
    ask("listEnvironments", { name: word, page: 1, perPage: HITS }),
    may("listRepos") ? ask("listRepos", { search: word, page: 1, perPage: HITS }) : { repos: [] },
    may("listControls") ? ask("listControls", { search: word, page: 1, perPage: HITS }) : { controls: [] },
    may("listPolicies") ? ask("listPolicies", {}) : [],
    ATTESTATION.test(word) ? ask("listAttestations", { attestationId: word }) : { data: [] },
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

/** The address of the one thing that was found, if it has a page. */
function onlyHit(
  artifacts: readonly Artifact[],
  named: readonly Hit[],
  { to }: PageRequest,
): string | undefined {
  if (artifacts.length + named.length !== 1) return undefined;
  const [artifact] = artifacts;
  if (artifact?.flow) return to.page("flows", artifact.flow, "artifacts", artifact.fingerprint);
  return named[0]?.href;
}

function artifactHits(artifacts: readonly Artifact[], { to, here }: PageRequest) {
  const environment = (name: string) => html`${link(to.page("environments", name), name)} `;
  return table({
    id: "artifacts",
    caption: "Artifacts",
    columns: [
      {
        head: "Artifact",
        cell: ({ flow, fingerprint, name }) =>
          flow ? link(to.page("flows", flow, "artifacts", fingerprint), name) : text(name),
        csv: ({ name }) => name,
      },
      {
        head: "Fingerprint",
        cell: ({ fingerprint }) => digest(fingerprint),
        csv: ({ fingerprint }) => fingerprint,
      },
      {
        head: "Commit",
        cell: ({ gitCommit }) => (gitCommit ? digest(gitCommit) : ""),
        csv: ({ gitCommit }) => gitCommit,
      },
      {
        head: "Flow",
        cell: ({ flow }) => (flow ? link(to.page("flows", flow), flow) : "not known where it was built"),
        csv: ({ flow }) => flow,
      },
      {
        head: "Trail",
        cell: ({ flow, trail }) =>
          flow && trail ? link(to.page("flows", flow, "trails", trail), trail) : "",
        csv: ({ trail }) => trail,
      },
      {
        head: "State",
        cell: ({ complianceState: state }) => badge(state ?? "UNKNOWN", TONES.get(state ?? "") ?? "unknown"),
        csv: ({ complianceState }) => complianceState ?? "UNKNOWN",
      },
      {
        head: "Runs in",
        cell: ({ runningIn }) => html`${runningIn.map(environment)}`,
        csv: ({ runningIn }) => runningIn.join(" "),
      },
    ],
    rows: artifacts,
    empty: html``,
    here,
  });
}

const TONES = new Map([
  ["COMPLIANT", "ok"],
  ["NON-COMPLIANT", "fail"],
  ["INCOMPLETE", "warn"],
] as const satisfies [string, string][]) as ReadonlyMap<string, "ok" | "fail" | "warn">;
