import { SEARCH_KINDS } from "../../../api/resources/search.ts";
import { Invalid } from "../../kernel/errors.ts";
import { personName } from "../../kernel/person-name.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { alertBox, field, questionForm } from "../parts/form.ts";
import { digest, type Html, html, link, row, shortName, text } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { numberedPage, pageNumberIn } from "../parts/lists.ts";
import { type Table, table, timeCell } from "../parts/table.ts";
import { chip } from "../parts/tiles.ts";
import { shortTime } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";
import { RefusedForm, type TypedFields } from "../refused-form.ts";
import { artifactHits, artifactsOf } from "./sha-hits.ts";

/** The start of a fingerprint or a commit. */
const SHA = /^[a-f0-9]{5,64}$/i;
const PER_KIND = 20;

type Found = AnsweredBy<"search">;
type Group = Found["groups"][number];
type Result = Group["results"][number];

/** Finds records by what people remember, and artifacts by fingerprint or commit. */
export const searchPage = definePage({
  path: "/:org/search",
  audience: "everybody",
  async show(request) {
    const { query, may } = request;
    const term = (query.get("q") ?? "").trim();
    // Accepts fingerprints as images and actions write them: `sha256:…` and `name@sha256:…`.
    const sha = term.replace(/^.*sha256:/, "");
    const form = searchForm(term);
    // A pasted key is not shown again.
    if (/^de_/.test(term)) return keyFound(request);
    if (term === "") return { title: "Search", main: html`${form}${HELP}`, howTo: HOW_TO };
    const [artifacts, found] = await Promise.all([
      SHA.test(sha) ? artifactsOf(sha, request) : [],
      may("search") ? foundBy(SHA.test(sha) ? sha : term, request) : NOTHING,
    ]);
    if (found instanceof Invalid) return refused(term, new RefusedForm(query, found));
    const groups = found.groups.filter(({ results }) => results.length > 0);
    const only = onlyResult(artifacts, groups, request);
    if (only !== undefined) return { redirect: only };
    const hits = artifactHits(artifacts, request);
    const tables = [hits, ...groups.map((group) => groupTable(group, request))];
    const page = pageNumberIn(query);
    const hasMore = groups.some(({ total, more }) => more || total > page * PER_KIND);
    const list = numberedPage(groups, { page, perPage: PER_KIND, hasMore }, request);
    const among = found.groups.some(({ more }) => more) ? " among the newest records" : "";
    const isNothing = tables.every(({ count }) => count === 0);
    return {
      title: "Search",
      main: html`${form}
${chips(found.qualifiers, term, request)}
${isNothing ? list.empty(html`<p class="lead">Nothing found for ${text(term)}${among}.</p>${HELP}`) : ""}
${tables.map((each) => (each.count === 0 ? "" : each.html))}
${list.pager}`,
      tables,
      json: { operation: "search", given: { q: term } },
      howTo: HOW_TO,
    };
  },
});

/** An API key was pasted. Its address may be logged, so it should be revoked. */
function keyFound({ to, may }: PageRequest) {
  const accounts = may("findApiKey")
    ? html`<a href="${to.page("accounts")}">Find its account</a> and revoke it.`
    : "Ask an admin to revoke it.";
  return {
    title: "Search",
    main: alertBox(
      html`<p>This is an API key. Addresses are logged, so the key may have leaked. ${accounts}</p>`,
    ),
    howTo: HOW_TO,
    status: 400 as const,
  };
}

const HOW_TO = {
  title: "Search on the command line",
  code: 'npx delivery-evidence call search q="retry is:failing"',
};

const HELP = html`<p>All words must match, each from its beginning. Narrow a search with <code>flow:web</code>, <code>is:failing</code>, <code>author:octocat</code>, <code>branch:main</code>, <code>jira:PAY-123</code>, <code>env:production</code>, <code>after:2026-01-31</code> or <code>before:2026-02-28</code>. ${guideLink("pages", "About the search")}</p>`;

const NOTHING: Pick<Found, "groups" | "qualifiers"> = { groups: [], qualifiers: [] };

/** Returns the refusal of a query that is none. */
async function foundBy(q: string, { call, query }: PageRequest): Promise<typeof NOTHING | Invalid> {
  try {
    const kind = SEARCH_KINDS.find((each) => each === query.get("kind"));
    return await call("search", { q, ...(kind && { kind }), page: pageNumberIn(query), perPage: PER_KIND });
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
}

function searchForm(term: string, typed?: TypedFields): Html {
  const hint = "A commit, subject, author, branch, issue, pull request, name or fingerprint";
  const shape = { id: "search", name: "q", label: "Search", value: term, type: "search", hint } as const;
  // The field in the header has the id `q`.
  return questionForm(field(shape, typed), "Search", "Search");
}

function refused(term: string, refusal: RefusedForm) {
  const form = searchForm(term, refusal);
  return {
    title: "Search",
    main: html`${alertBox(refusal.alert())}${form}${HELP}`,
    howTo: HOW_TO,
    status: 400 as const,
  };
}

/** The address of the only result. A commit of one artifact is that artifact, even if its trail matches too. */
function onlyResult(
  artifacts: Awaited<ReturnType<typeof artifactsOf>>,
  groups: readonly Group[],
  { to, query }: PageRequest,
): string | undefined {
  if (query.has("format")) return undefined;
  const [artifact] = artifacts;
  if (artifact?.flow && artifacts.length === 1) {
    return to.page("flows", artifact.flow, "artifacts", artifact.fingerprint);
  }
  const results = groups.flatMap((group) => group.results);
  const url = URL.parse(results[0]?.htmlUrl ?? "");
  return results.length === 1 && artifacts.length === 0 && url !== null
    ? `${url.pathname}${url.search}${url.hash}`
    : undefined;
}

/** Qualifiers with a link that removes each. */
function chips(qualifiers: Found["qualifiers"], term: string, { here }: PageRequest): Html {
  if (qualifiers.length === 0) return html``;
  return html`<p>${qualifiers.map(({ text: part }) => {
    const rest = term.replace(part, "").replaceAll(/\s+/g, " ").trim();
    const others = rest === "" ? { q: undefined, kind: undefined } : { q: rest };
    return html`${chip(part, here({ ...others, page: undefined }))} `;
  })}</p>`;
}

const CAPTIONS: Readonly<Record<Group["kind"], string>> = {
  trail: "Trails",
  artifact: "Artifacts",
  attestation: "Attestations",
  flow: "Flows",
  environment: "Environments",
  repo: "Repositories",
  control: "Controls",
  policy: "Policies",
};

function groupTable({ kind, total, more, results }: Group, request: PageRequest): Table {
  return table<Result>(request, {
    id: `found-${kind}`,
    caption: `${CAPTIONS[kind]}: ${total}${more ? " or more" : ""}`,
    isOfRows: true,
    columns: {
      Name: (each) => ({ html: resultRow(each, request), csv: each.name }),
      State: ({ state }) =>
        state ? { html: badge(state, TONES.get(state) ?? "unknown"), csv: state } : null,
      Subject: { cell: ({ subject }) => subject, isForCsv: true },
      Flow: { cell: ({ flow }) => flow, isForCsv: true },
      Commit: { cell: ({ commit }) => commit, isForCsv: true },
      Author: { cell: ({ author }) => author, isForCsv: true },
      Time: { cell: ({ time }) => timeCell(time), isForCsv: true },
    },
    rows: results,
    empty: "",
  });
}

const TONES: ReadonlyMap<string, "ok" | "fail" | "warn"> = new Map([
  ["COMPLIANT", "ok"],
  ["NON-COMPLIANT", "fail"],
  ["INCOMPLETE", "warn"],
]);

/** The subject with a link, and below it the details and what else matched. */
function resultRow(result: Result, { to }: PageRequest): Html {
  const { kind, name, subject, flow, fingerprint, commit, author, branch, time, htmlUrl, matched } = result;
  const title = (kind === "artifact" ? name : subject) || shortName(name);
  const shown = [title, name, flow, commit, author, branch].join(" ").toLowerCase();
  const others = matched.filter((each) => !shown.includes(each.text.toLowerCase()));
  return row(link(htmlUrl, title), [
    // The subject of a control is its name, and others refer to it by its identifier.
    kind === "control" ? text(name) : undefined,
    flow ? link(to.page("flows", flow), flow) : undefined,
    fingerprint ? digest(fingerprint) : undefined,
    commit ? digest(commit) : undefined,
    author ? text(personName(author)) : undefined,
    branch ? text(branch) : undefined,
    time ? shortTime(time) : undefined,
    ...others.map(({ field: name, text: value }) => html`${name.replaceAll("_", " ")}: ${text(value)}`),
  ]);
}
