import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { empty, facts, type HowTo, numberedLines } from "../parts/blocks.ts";
import { actionIn, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { type Html, html, link, list, longText, text } from "../parts/html.ts";
import { linkCell, type Table, table, timeCell } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { wholeList } from "../parts/whole-list.ts";
import { counted } from "../parts/words.ts";
import { contentFields, contentIn, onlyFile } from "./decision-policy-form.ts";

type Policy = AnsweredBy<"getDecisionPolicy">;
type Enforcement = Pick<Policy, "warnOnly" | "effectiveFrom">;

const PUBLISH: HowTo = {
  title: "Publish a decision policy on the command line",
  code: `npx delivery-evidence call publishDecisionPolicy identifier=reviewed --body - <<'END'
files:
  policy.rego: |
    package policy

    default allow := false
END`,
};

export const decisionPoliciesPage = definePage({
  path: "/:org/decision-policies",
  audience: "everybody",
  async show(request) {
    const { call, to, now } = request;
    const all = wholeList(
      await call("listDecisionPolicies", {}),
      {
        things: "decision policies",
        texts: ({ identifier, description }) => [identifier, description],
        sorts: { identifier: ({ identifier }) => identifier, published: ({ createdAt }) => createdAt },
      },
      request,
    );
    const policies = table(request, {
      id: "policies",
      caption: "Decision policies",
      position: all.count,
      columns: {
        Identifier: {
          cell: ({ identifier }) => linkCell(to.page("decision-policies", identifier), identifier),
          sorted: all.sorting.by("identifier"),
        },
        Version: { cell: ({ version }) => version, isNumber: true },
        Denials: (policy) => enforcement(policy, now),
        Description: ({ description }) => description,
        Published: { cell: ({ createdAt }) => timeCell(createdAt), sorted: all.sorting.by("published") },
      },
      rows: all.rows,
      empty: all.empty(empty("No decision policies yet.", PUBLISH)),
    });
    return {
      title: "Decision policies",
      above: [["Policies", to.page("policies")]],
      main: html`<p>A decision policy is a Rego policy that decides about ${link(to.page("controls"), "controls")}.</p>
${all.bar}
${policies.html}${all.pager}${creationForm(request)}`,
      tables: [policies],
      json: { operation: "listDecisionPolicies", given: {} },
      howTo: PUBLISH,
    };
  },
  async act({ call, sent, to }) {
    const identifier = (sent.get("identifier") ?? "").trim();
    await call("publishDecisionPolicy", { identifier, body: contentIn(sent) });
    return { redirect: to.page("decision-policies", identifier) };
  },
});

function enforcement({ warnOnly, effectiveFrom }: Enforcement, now: number): string {
  if (warnOnly) return "Only warn";
  return effectiveFrom === null || effectiveFrom <= now ? "Count" : `Only warn until ${utc(effectiveFrom)}`;
}

function creationForm(request: PageRequest): Html {
  const { may, form } = request;
  if (!may("publishDecisionPolicy")) return html``;
  return html`<h2>Publish a decision policy</h2>${form({
    act: "publish",
    content: html`${field({ name: "identifier", label: "Identifier", hint: "It never changes.", isRequired: true }, request)}
${contentFields(undefined, request)}`,
    button: "Publish policy",
    label: "Publish a decision policy",
  })}`;
}

type Named = { readonly policy: string };

export const decisionPolicyPage = definePage({
  path: "/:org/decision-policies/:policy",
  audience: "everybody",
  async show(request) {
    const { params, call, to, query, now } = request;
    const identifier = params.policy;
    const latest = await call("getDecisionPolicy", { identifier });
    const requested = Number(query.get("version"));
    const isFormer = latest.versions?.some(({ version }) => version === requested) ?? false;
    const shown = isFormer ? await call("getDecisionPolicy", { identifier, version: requested }) : latest;
    const versions = versionTable(request, latest);
    return {
      title: `Decision policy ${identifier}`,
      above: [
        ["Policies", to.page("policies")],
        ["Decision policies", to.page("decision-policies")],
      ],
      main: html`<p class="lead">${boundTo(latest)}</p>
${longText(shown.description)}
${facts([
  ["Version", shown.version],
  ["Denials", enforcement(shown, now)],
  ["Effective from", shown.effectiveFrom === null ? "" : time(shown.effectiveFrom)],
  ["Digest", text(shown.digest)],
  ["Published by", text(shown.createdBy)],
  ["Published", time(shown.createdAt)],
  ["Archived", latest.archived ? "yes" : ""],
  ["Controls", list((latest.controls ?? []).map((each) => link(to.page("controls", each), each)))],
])}
<h2>Files of version ${shown.version}</h2>
${Object.entries(shown.files ?? {}).map(
  ([path, content]) => html`<h3>${text(path)}</h3>
${numberedLines(content)}
`,
)}
<h2>Versions</h2>
${versions.html}${forms(latest, request)}`,
      tables: [versions],
      json: { operation: "getDecisionPolicy", given: { identifier } },
      howTo: PUBLISH,
    };
  },
  async act(request) {
    return actionIn(ACTIONS, request.sent)(request);
  },
});

function boundTo({ controls = [] }: Policy): string {
  if (controls.length === 0) return "Not bound to any control.";
  return `Decides about ${counted(controls.length, "control")}. No other decisions count there.`;
}

function versionTable(request: PageRequest, { identifier, versions = [] }: Policy): Table {
  const { to, now } = request;
  return table(request, {
    id: "versions",
    caption: "Versions, newest first",
    columns: {
      Version: ({ version }) =>
        linkCell(`${to.page("decision-policies", identifier)}?version=${version}`, String(version)),
      Published: ({ createdAt }) => timeCell(createdAt),
      By: ({ createdBy }) => createdBy,
      Denials: (version) => enforcement(version, now),
      Description: ({ description }) => description,
    },
    rows: versions,
    empty: "No versions.",
  });
}

function forms(policy: Policy, request: PageRequest<Named>): Html {
  const { may } = request;
  if (!may("publishDecisionPolicy")) return html``;
  const publish = {
    act: "publish",
    content: contentFields(policy, request),
    button: "Publish version",
    label: "Publish a version",
  };
  const archive = {
    act: "archive",
    content: html`<p>The policy is no longer listed, and no further control can be bound to it.</p>
${confirmation(policy.identifier, request)}`,
    isDangerous: true as const,
    button: "Archive policy",
    label: "Archive the policy",
  };
  return html`
<h2>Actions</h2>
${onlyFile(policy) === undefined ? html`<p>Publish a policy of several files on the command line.</p>` : foldedForm("Publish a version", publish, request)}
${policy.archived ? "" : foldedForm("Archive this policy", archive, request)}`;
}

const ACTIONS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<Page | Redirect>>> = {
  async publish({ call, params, sent, to }) {
    const identifier = params.policy;
    const before = await call("getDecisionPolicy", { identifier });
    await call("publishDecisionPolicy", { identifier, body: contentIn(sent, before) });
    return { redirect: to.page("decision-policies", identifier) };
  },
  async archive({ call, params, sent, to }) {
    requireConfirmation(sent, params.policy, "Type the identifier of the policy to archive it");
    await call("archiveDecisionPolicy", { identifier: params.policy });
    return { redirect: to.page("decision-policies") };
  },
};
