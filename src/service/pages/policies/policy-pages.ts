import { type AnsweredBy, ifFound } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, facts, type HowTo, numberedLines } from "../parts/blocks.ts";
import { type Html, html, link, longText, text } from "../parts/html.ts";
import { complianceCell, linkCell, type Table, table, timeCell } from "../parts/table.ts";
import { textDiff } from "../parts/text-diff.ts";
import { time } from "../parts/time.ts";
import { wholeList } from "../parts/whole-list.ts";

export const POLICY_HOW_TO: HowTo = {
  title: "Create a policy or a new version",
  code: `delivery-evidence call putPolicy policy_file=production.yml --body - <<'END'
{ "name": "production", "comment": "why it was changed" }
END`,
};

export const policiesPage = definePage({
  path: "/:org/policies",
  audience: "everybody",
  async show(request) {
    const { call, to } = request;
    const list = wholeList(
      await call("listPolicies", {}),
      {
        things: "policies",
        texts: ({ name, description }) => [name, description],
        sorts: { name: ({ name }) => name, changed: ({ lastModifiedAt }) => lastModifiedAt },
      },
      request,
    );
    const policies = table(request, {
      id: "policies",
      caption: "Policies",
      position: list.count,
      columns: {
        Name: {
          cell: ({ name }) => linkCell(to.page("policies", name), name),
          sorted: list.sorting.by("name"),
        },
        Versions: { cell: ({ versions = [] }) => versions.length, isNumber: true },
        Environments: {
          cell: ({ consumingEnvs: names = [] }) => ({ html: String(names.length), csv: names.join(" ") }),
          isNumber: true,
        },
        Description: ({ description }) => description,
        "Last changed": {
          cell: ({ lastModifiedAt }) => timeCell(lastModifiedAt),
          sorted: list.sorting.by("changed"),
        },
      },
      rows: list.rows,
      empty: list.empty(empty("No policies yet.", POLICY_HOW_TO)),
    });
    return {
      title: "Policies",
      main: html`${decisionPoliciesLink(request)}${list.bar}
${policies.html}${list.pager}`,
      tables: [policies],
      json: { operation: "listPolicies", given: {} },
      howTo: POLICY_HOW_TO,
    };
  },
});

function decisionPoliciesLink({ mayOpen, to }: PageRequest): Html {
  if (!mayOpen("listDecisionPolicies")) return html``;
  return html`<p>Policies decide where artifacts may run. ${link(to.page("decision-policies"), "Decision policies")} decide about controls.</p>
`;
}

export const policyPage = definePage({
  path: "/:org/policies/:policy",
  audience: "everybody",
  async show(request) {
    const { params, call, to, query } = request;
    const policy = await call("getPolicy", { policyName: params.policy });
    const { versions = [], consumingEnvs = [] } = policy;
    const environments = await resultTable(request, policy.name, consumingEnvs);
    const all = versionTable(request, policy.name, versions.toReversed());
    const requested = Number(query.get("version"));
    const shown = versions.find(({ version }) => version === requested) ?? versions.at(-1);
    return {
      title: `Policy ${policy.name}`,
      above: [["Policies", to.page("policies")]],
      main: html`<p class="lead">${consumingEnvs.length === 0 ? "Not attached to any environment, so it has no effect." : `Attached to ${consumingEnvs.length === 1 ? "one environment" : `${consumingEnvs.length} environments`}.`}</p>
${longText(policy.description)}
${facts([
  ["Created by", text(policy.createdBy)],
  ["Created", policy.createdAt ? time(policy.createdAt) : ""],
  ["Archived", policy.archived ? "yes" : ""],
])}
<h2>Environments</h2>
${environments.html}
<h2>${shown === undefined ? "File" : `Version ${shown.version}`}</h2>
${shown === undefined || shown.policyYaml === "" ? html`<p>The text of this version is not available.</p>` : numberedLines(shown.policyYaml)}
${versionDiff(shown, versions)}
<h2>Versions</h2>
${all.html}`,
      tables: [environments, all],
      json: { operation: "getPolicy", given: { policyName: params.policy } },
      howTo: POLICY_HOW_TO,
    };
  },
});

/** The changes of a version from the one before, with their author. */
function versionDiff(shown: Version | undefined, versions: readonly Version[]): Html {
  const before = versions.find(({ version }) => version === Number(shown?.version) - 1);
  if (!shown?.policyYaml || !before?.policyYaml) return html``;
  return html`<h2>Changes from version ${before.version}</h2>
<p>By ${text(shown.createdBy)} ${time(shown.timestamp)}${shown.comment ? html`: ${text(shown.comment)}` : ""}</p>
${textDiff(before.policyYaml, shown.policyYaml, { before: "the version before", after: "this version" })}`;
}

type Version = NonNullable<AnsweredBy<"getPolicy">["versions"]>[number];

function versionTable(request: PageRequest, policy: string, versions: readonly Version[]): Table {
  const { to } = request;
  const href = (version: number) => `${to.page("policies", policy)}?version=${version}`;
  return table(request, {
    id: "versions",
    caption: "Versions, newest first",
    columns: {
      Version: ({ version }) => linkCell(href(version), String(version)),
      Created: ({ timestamp }) => timeCell(timestamp),
      By: ({ createdBy }) => createdBy,
      Comment: ({ comment }) => comment,
    },
    rows: versions,
    empty: "No versions.",
  });
}

/** Maximum number of environments whose latest snapshot is read. */
const MAX_ENVIRONMENTS = 50;

async function resultTable(request: PageRequest, policy: string, environments: readonly string[]) {
  const { call, to } = request;
  const rows = await Promise.all(
    environments.slice(0, MAX_ENVIRONMENTS).map((environment) => latestResult(call, environment, policy)),
  );
  return table(request, {
    id: "environments",
    caption:
      environments.length > MAX_ENVIRONMENTS
        ? `Attached environments, the first ${MAX_ENVIRONMENTS} of ${environments.length}`
        : "Attached environments",
    columns: {
      Name: ({ environment }) => linkCell(to.page("environments", environment), environment),
      "Latest result": ({ failing }) => complianceCell(failing === undefined ? null : failing === 0),
      "Failing artifacts": { cell: ({ failing }) => failing, isNumber: true },
      Version: { cell: ({ version }) => version, isNumber: true },
      "In snapshot": ({ environment, snapshot }) =>
        snapshot === undefined
          ? { html: html`<span class="quiet">not evaluated yet</span>`, csv: null }
          : linkCell(to.page("environments", environment, "snapshots", snapshot), String(snapshot)),
      Since: ({ at }) => at && timeCell(at),
    },
    rows,
    empty: "None. Attach the policy on the page of an environment.",
  });
}

/** The latest result of the policy in an environment. Only `environment` is set before the first evaluation. */
async function latestResult(call: PageRequest["call"], environment: string, policy: string) {
  const given = { envName: environment, snapshotExpression: "-1", page: 1, perPage: 1 };
  const snapshot = await ifFound(call("getSnapshot", given));
  const applied = snapshot?.appliedPolicies?.find(({ name }) => name === policy);
  const { version, failing_artifacts: failing } = applied ?? {};
  return {
    environment,
    snapshot: applied && snapshot?.index,
    at: applied && snapshot?.timestamp,
    version: typeof version === "number" ? version : undefined,
    failing: Array.isArray(failing) ? failing.length : undefined,
  };
}
