import type { Deployment } from "../../../api/resources/deployments.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { populationLink } from "../organization/population-page.ts";
import { definePage, type FormRequest, type PageRequest } from "../page.ts";
import { empty, facts, live, tags } from "../parts/blocks.ts";
import { dayStrip } from "../parts/charts.ts";
import {
  actionIn,
  choice,
  confirmation,
  field,
  foldedForm,
  requireConfirmation,
  shareForm,
} from "../parts/form.ts";
import { type Html, html, link, longText, plainList, text } from "../parts/html.ts";
import { environmentLink, linkIf } from "../parts/links.ts";
import { type Table, table, timeCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { POLICY_HOW_TO } from "../policies/policy-pages.ts";
import { boardBar, boardOf, runningNow } from "./board.ts";
import { stripsOf } from "./day-strips.ts";
import { environmentBand, staleness } from "./environment-state.ts";
import { reportStep, runningTable } from "./running-table.ts";
import { snapshotTable } from "./snapshot-pages.ts";

type Named = { readonly environment: string };
type Environment = AnsweredBy<"getEnvironment">;

const SNAPSHOTS = 20;
const EVENTS = 20;
const DAYS = 90;

export const environmentPage = definePage({
  path: "/:org/environments/:environment",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, call, to, now, may, mayOpen } = request;
    const envName = params.environment;
    const [environment, snapshots, events, running, strips, starts] = await Promise.all([
      call("getEnvironment", { envName }),
      call("listSnapshots", { envName, perPage: SNAPSHOTS }),
      call("listEnvironmentEvents", { envName, perPage: EVENTS }),
      runningNow(request),
      stripsOf([{ name: envName }], DAYS, request),
      startsOf(request),
    ]);
    const days = strips.get(environment.name) ?? [];
    const howTo = reportStep(environment, request);
    const title = `Environment ${environment.name}`;
    const above = [["Environments", to.page("environments")]] as const;
    const bar = boardBar(running.artifacts, request);
    const list = await bar.find(async (wanted) => boardOf(running.artifacts, wanted, request));
    if (list instanceof Refusal) return bar.refused({ title, above }, list);
    const step = may("reportK8S", { envName }) ? howTo : undefined;
    const none = running.isReported ? empty("Nothing is running.") : empty("No reports yet.", step);
    const artifacts = runningTable(request, {
      id: "running",
      caption: "Running artifacts",
      position: list.count,
      rows: list.rows,
      starts,
      empty: list.empty(bar.empty("artifacts", none)),
    });
    const history = snapshotTable(request, {
      environment: envName,
      rows: snapshots,
      empty: "No snapshots yet.",
    });
    const happened = eventTable(events, request);
    return {
      title,
      above,
      main: html`${live(
        html`${environmentBand(environment, running, howToAttach(request), request)}
${staleness(environment, snapshots, now)}
${longText(environment.description)}
${facts([
  ["Type", text(environment.type)],
  ["Policies", policiesOf(environment, request)],
  ["Members", membersOf(environment, request)],
  [
    "Deployments",
    mayOpen("listDeployments")
      ? link(`${to.page("deployments")}?env=${encodeURIComponent(envName)}`, "All deployments")
      : "",
  ],
  ["Last report", environment.type === "logical" ? "" : time(environment.lastReportedAt)],
  ["Tags", tags(environment.tags)],
  ["Audit", environment.type === "logical" ? "" : populationLink(request, "environment", envName)],
])}
<h2>Running now</h2>
${running.artifacts.length === 0 ? "" : bar.html}
${artifacts.html}${list.pager}
<h2>Snapshots</h2>
${dayStrip(days, `The last ${DAYS} days`)}${history.html}
<p>${link(to.page("environments", envName, "snapshots"), "All snapshots")}${snapshots.length < 2 || !mayOpen("diffSnapshots") ? "" : html` · <a href="${to.page("diff")}?a=${encodeURIComponent(`${envName}~1`)}&amp;b=${encodeURIComponent(envName)}">Compare with the previous snapshot</a>`}</p>
<h2>What happened</h2>
${happened.html}`,
      )}
${shareForm({ kind: "environment", place: envName }, request)}
${may("updateEnvironment", { envName }) ? await forms(request, environment) : ""}`,
      tables: [artifacts, history, happened],
      json: { operation: "getEnvironment", given: { envName } },
      howTo,
    };
  },
  async act(request) {
    const { params, to } = request;
    await actionIn(ACTIONS, request.sent)(request);
    return { redirect: to.page("environments", params.environment) };
  },
});

const STARTS = 100;

/** The latest deployments, by fingerprint. */
async function startsOf({ call, may, params }: PageRequest<Named>): Promise<ReadonlyMap<string, Deployment>> {
  const given = { envName: params.environment, from: "0", pageSize: STARTS };
  if (!may("listEnvironmentDeployments", given)) return new Map();
  const { deployments } = await call("listEnvironmentDeployments", given);
  return new Map(deployments.toReversed().map((each) => [each.fingerprint, each]));
}

/** Links to the form that attaches a policy if the caller has that right, else to the list of policies. */
function howToAttach({ viewer, to, may, params }: PageRequest<Named>): Html | undefined {
  if (viewer.kind === "share") return undefined;
  const mayAttach = may("attachPolicies", { envName: params.environment });
  return mayAttach
    ? html`<a href="#attach">Attach a policy</a> to evaluate the running artifacts.`
    : html`${may("listPolicies") ? html`<a href="${to.page("policies")}">Policies</a>` : "Policies"} are attached by members.`;
}

function policiesOf({ policies }: Environment, { to, mayOpen }: PageRequest) {
  const names = policies ?? [];
  const links = names.map((name) => linkIf(mayOpen("getPolicy"), to.page("policies", name), name));
  return plainList(links) ?? "none";
}

function membersOf({ includedEnvironments }: Environment, request: PageRequest<Named>): Html | undefined {
  const { to } = request;
  return plainList(
    (includedEnvironments ?? []).map((name) =>
      environmentLink(name, request)(to.page("environments", name), name),
    ),
  );
}

function eventTable(events: AnsweredBy<"listEnvironmentEvents">, request: PageRequest<Named>): Table {
  const { to, params } = request;
  return table(request, {
    id: "events",
    caption: "Events, newest first",
    columns: {
      When: ({ reportedAt }) => timeCell(reportedAt),
      Artifact: ({ artifactName: name }) => ({ html: text(name?.replace(/^.*\//, "")), csv: name }),
      Event: ({ description }) => description,
      Snapshot: ({ snapshotIndex: index, environmentName }) => {
        const name = environmentName ?? params.environment;
        const path = to.page("environments", name, "snapshots", index ?? "");
        return index && { html: environmentLink(name, request)(path, String(index)), csv: index };
      },
    },
    rows: events,
    empty: "No events yet.",
  });
}

async function forms(request: PageRequest<Named>, environment: Environment): Promise<Html> {
  const { may } = request;
  const { name } = environment;
  const allow = {
    act: "allow",
    content: html`<p>Allows the artifact to run here, regardless of the policies. Your name and the reason are recorded.</p>
${field({ name: "fingerprint", label: "Fingerprint", fills: "artifact_fingerprint", isRequired: true }, request)}
${field({ name: "artifact", label: "Artifact name", fills: "artifact_name", isRequired: true }, request)}
${field({ name: "reason", label: "Reason", fills: "description", isRequired: true }, request)}`,
    button: "Allow",
    label: "Allow an artifact to run here",
  };
  const archive = {
    act: "archive",
    content: html`<p>Its records stay, but it no longer appears in lists.</p>
${confirmation(name, request)}`,
    isDangerous: true as const,
    button: "Archive",
    label: "Archive this environment",
  };
  return html`<h2>Actions</h2>
${may("attachPolicies", { envName: name }) ? await policyForms(request, environment) : ""}
${foldedForm(allow.label, allow, request)}
${may("archiveEnvironment", { envName: name }) ? foldedForm(archive.label, archive, request) : ""}`;
}

async function policyForms(request: PageRequest<Named>, environment: Environment): Promise<Html> {
  const { call, may, form } = request;
  const attached = environment.policies ?? [];
  const others = (may("listPolicies") ? await call("listPolicies", {}) : [])
    .map(({ name }) => name)
    .filter((name) => !attached.includes(name));
  const attach = {
    act: "attach",
    content: choice({ name: "policy", label: "Policy", fills: "policy_names", options: others }, request),
    button: "Attach",
    label: "Attach a policy",
  };
  const detach = {
    act: "detach",
    content: choice(
      { name: "attached", label: "Attached policy", fills: "policy_names", options: attached },
      request,
    ),
    button: "Detach",
    label: "Detach a policy",
  };
  const nothing = others.length + attached.length === 0;
  return html`${nothing ? html`<div id="attach">${empty("No policies to attach yet.", POLICY_HOW_TO)}</div>` : ""}
${others.length === 0 ? "" : html`<details id="attach"><summary>Attach a policy</summary>${form(attach)}</details>`}
${attached.length === 0 ? "" : html`<details><summary>Detach a policy</summary>${form(detach)}</details>`}`;
}

const ACTIONS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<unknown>>> = {
  attach: ({ call, params: { environment: envName }, sent }) =>
    call("attachPolicies", { envName, body: { policyNames: [sent.get("policy") ?? ""] } }),
  detach: ({ call, params: { environment: envName }, sent }) =>
    call("detachPolicies", { envName, body: { policyNames: [sent.get("attached") ?? ""] } }),
  allow: ({ call, params: { environment: envName }, sent }) =>
    call("allowArtifact", {
      envName,
      body: {
        artifactFingerprint: (sent.get("fingerprint") ?? "").trim().toLowerCase(),
        artifactName: sent.get("artifact") ?? "",
        description: sent.get("reason") ?? "",
      },
    }),
  async archive({ call, params: { environment: envName }, sent }) {
    requireConfirmation(sent, envName, "Type the name of the environment to archive it");
    await call("archiveEnvironment", { envName });
  },
};
