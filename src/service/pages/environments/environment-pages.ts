import { html } from "hono/html";
import { Invalid, NotFound } from "../../kernel/errors.ts";
import { actIn } from "../acts.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type FormRequest, type PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { choice, field } from "../parts/field.ts";
import { leadsTo } from "../parts/leads.ts";
import { link } from "../parts/link.ts";
import { pageNumberIn } from "../parts/listed.ts";
import { live } from "../parts/live.ts";
import { pager } from "../parts/pager.ts";
import { shareForm } from "../parts/share-form.ts";
import { type Table, table } from "../parts/table.ts";
import { tags } from "../parts/tags.ts";
import { longText, text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { POLICY_HOW_TO } from "../policies/how-to.ts";
import type { Running } from "./instances.ts";
import { reportStep } from "./report-step.ts";
import { runningTable } from "./running-table.ts";
import { staleness } from "./staleness.ts";
import { stateSentence } from "./state.ts";
import { snapshotBars, snapshotTable } from "./timeline.ts";

type Named = { readonly environment: string };
type Environment = AnsweredBy<"getEnvironment">;

/** How many artifacts, snapshots and events are shown at once. */
const ARTIFACTS = 100;
const SNAPSHOTS = 20;
const EVENTS = 20;

/** An environment: what runs in it, whether that may, and what happened to it. */
export const environmentPage = definePage({
  path: "/:org/environments/:environment",
  audience: "everybody",
  subject: ({ environment }) => ({ kind: "environment", place: environment }),
  async show(request) {
    const { params, ask, to, query, here, now, may } = request;
    const envName = params.environment;
    const page = pageNumberIn(query);
    const [environment, snapshots, events, running] = await Promise.all([
      ask("getEnvironment", { envName }),
      ask("listSnapshots", { envName, perPage: SNAPSHOTS }),
      ask("listEnvironmentEvents", { envName, perPage: EVENTS }),
      runningNow(request, page),
    ]);
    const howTo = reportStep(environment, request);
    const artifacts = runningTable(
      {
        id: "running",
        caption: "Artifacts that run now",
        artifacts: running.artifacts,
        empty: empty(
          running.isReported ? "Nothing runs here now." : "Nothing was reported yet.",
          running.isReported ? undefined : howTo,
        ),
      },
      request,
    );
    const history = snapshotTable(
      { environment: envName, snapshots, empty: empty("There is no snapshot yet.") },
      request,
    );
    const happened = eventTable(events, request);
    return {
      title: `Environment ${environment.name}`,
      above: [{ name: "Environments", href: to.page("environments") }],
      main: html`${live(
        html`${stateSentence(environment, running.artifacts, howToAttach(request))}
${staleness(environment, snapshots, now)}
${environment.description ? longText(environment.description) : ""}
${facts([
  ["Type", text(environment.type)],
  ["Policies", policiesOf(environment, request)],
  ["Members", membersOf(environment, request)],
  ["Last report", environment.type === "logical" ? "" : time(environment.lastReportedAt)],
  ["Tags", tags(environment.tags)],
])}
<h2>Running now</h2>
${artifacts.html}${pager({
  previous: page > 1 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
  next: running.hasMore ? here({ page: page + 1 }) : undefined,
})}
<h2>Snapshots</h2>
${snapshotBars(snapshots, now)}${history.html}
<p>${link(to.page("environments", envName, "snapshots"), "All snapshots")}${snapshots.length < 2 || !may("diffSnapshots") ? "" : html` · <a href="${to.page("diff")}?a=${encodeURIComponent(`${envName}~1`)}&amp;b=${encodeURIComponent(envName)}">What changed with the latest</a>`}</p>
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
    await actIn(ACTS, request.sent)(request);
    return { redirect: to.page("environments", params.environment) };
  },
});

/** The artifacts of a page of the latest snapshot, if there is one. */
async function runningNow({ ask, params }: PageRequest<Named>, page: number) {
  const none = { artifacts: [] as readonly Running[], hasMore: false, isReported: false };
  try {
    const { artifacts, artifactComplianceCount } = await ask("getSnapshot", {
      envName: params.environment,
      snapshotExpression: "-1",
      page,
      perPage: ARTIFACTS,
    });
    const total = Object.values(artifactComplianceCount).reduce((all, each) => all + each, 0);
    const now = artifacts.filter(({ annotation }) => annotation?.now !== 0);
    return { artifacts: now, hasMore: page * ARTIFACTS < total, isReported: true };
  } catch (error) {
    if (error instanceof NotFound) return none;
    throw error;
  }
}

/** Where a policy is attached: the form below, for who may; else the policies there are. */
function howToAttach({ viewer, to, may, params }: PageRequest<Named>): Html | undefined {
  if (viewer.kind === "share") return undefined;
  const mayAttach = may("attachPolicies", { envName: params.environment });
  return mayAttach
    ? html`<a href="#attach">Attach a policy</a>, and what runs is judged at once.`
    : html`${may("listPolicies") ? html`<a href="${to.page("policies")}">Policies</a>` : "Policies"} are attached by members.`;
}

function policiesOf({ policies }: Environment, { to, may }: Pick<PageRequest, "to" | "may">): Html | string {
  const names = policies ?? [];
  if (names.length === 0) return "none";
  return html`<ul class="plain">${names.map((name) => html`<li>${may("getPolicy") ? link(to.page("policies", name), name) : text(name)}</li>`)}</ul>`;
}

function membersOf({ includedEnvironments }: Environment, request: PageRequest<Named>): Html | undefined {
  const { to } = request;
  if (!includedEnvironments) return undefined;
  return html`<ul class="plain">${includedEnvironments.map((name) => html`<li>${leadsTo(name, request)(to.page("environments", name), name)}</li>`)}</ul>`;
}

function eventTable(events: AnsweredBy<"listEnvironmentEvents">, request: PageRequest<Named>): Table {
  const { to, here, params } = request;
  return table({
    id: "events",
    caption: "What started, stopped or changed, the latest first",
    columns: [
      {
        head: "When",
        cell: ({ reportedAt }) => time(reportedAt),
        csv: ({ reportedAt }) => utc(reportedAt ?? 0),
      },
      {
        head: "Artifact",
        cell: ({ artifactName }) => text(artifactName),
        csv: ({ artifactName }) => artifactName,
      },
      { head: "What", cell: ({ description }) => text(description), csv: ({ description }) => description },
      {
        head: "Snapshot",
        cell: ({ snapshotIndex, environmentName }) => {
          const name = environmentName ?? params.environment;
          const path = to.page("environments", name, "snapshots", snapshotIndex ?? "");
          return snapshotIndex ? leadsTo(name, request)(path, String(snapshotIndex)) : "";
        },
        csv: ({ snapshotIndex }) => snapshotIndex,
      },
    ],
    rows: events,
    empty: empty("Nothing happened yet."),
    here,
  });
}

async function forms(request: PageRequest<Named>, environment: Environment): Promise<Html> {
  const { may, form, kept } = request;
  return html`<h2>Change it</h2>
${may("attachPolicies", { envName: environment.name }) ? await policyForms(request, environment) : ""}
<details${kept("act") === "allow" ? html` open` : ""}><summary>Allow an artifact to run here</summary>${form({
    content: html`${act("allow")}<p>It may run from now on, whatever the policies say. Your name and the reason are recorded.</p>
${field({ name: "fingerprint", label: "Fingerprint", value: kept("fingerprint"), isRequired: true })}
${field({ name: "artifact", label: "Name of the artifact", value: kept("artifact"), isRequired: true })}
${field({ name: "reason", label: "Reason", value: kept("reason"), isRequired: true })}
<p><button type="submit">Allow</button></p>`,
    label: "Allow an artifact to run here",
  })}</details>
${
  may("archiveEnvironment", { envName: environment.name })
    ? html`<details${kept("act") === "archive" ? html` open` : ""}><summary>Archive this environment</summary>${form(
        {
          content: html`${act("archive")}<p>What it recorded stays, but it is in no list any more.</p>
${field({ name: "confirm", label: `Type ${environment.name} to confirm`, isRequired: true })}
<p><button type="submit">Archive</button></p>`,
          label: "Archive this environment",
        },
      )}</details>`
    : ""
}`;
}

/** What a form does when it is sent. */
function act(name: string): Html {
  return html`<input type="hidden" name="act" value="${name}">`;
}

/** Which policies it is held to. */
async function policyForms({ ask, may, form }: PageRequest<Named>, environment: Environment): Promise<Html> {
  const attached = environment.policies ?? [];
  const others = (may("listPolicies") ? await ask("listPolicies", {}) : [])
    .map(({ name }) => name)
    .filter((name) => !attached.includes(name));
  const named = (names: readonly string[]) => names.map((name) => [name, name] as const);
  return html`${
    others.length === 0
      ? attached.length === 0
        ? html`<div id="attach">${empty("There is no policy to attach yet.", POLICY_HOW_TO)}</div>`
        : ""
      : html`<details id="attach"><summary>Attach a policy</summary>${form({
          content: html`${act("attach")}${choice({ name: "policy", label: "Policy", options: named(others) })}
<p><button type="submit">Attach</button></p>`,
          label: "Attach a policy",
        })}</details>`
  }
${
  attached.length === 0
    ? ""
    : html`<details><summary>Detach a policy</summary>${form({
        content: html`${act("detach")}${choice({ name: "attached", label: "Attached policy", options: named(attached) })}
<p><button type="submit">Detach</button></p>`,
        label: "Detach a policy",
      })}</details>`
}`;
}

const ACTS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<unknown>>> = {
  attach: ({ ask, params, sent }) =>
    ask("attachPolicies", { envName: params.environment, body: { policyNames: [sent.get("policy") ?? ""] } }),
  detach: ({ ask, params, sent }) =>
    ask("detachPolicies", {
      envName: params.environment,
      body: { policyNames: [sent.get("attached") ?? ""] },
    }),
  allow: ({ ask, params, sent }) =>
    ask("allowArtifact", {
      envName: params.environment,
      body: {
        artifactFingerprint: (sent.get("fingerprint") ?? "").trim().toLowerCase(),
        artifactName: sent.get("artifact") ?? "",
        description: sent.get("reason") ?? "",
      },
    }),
  async archive({ ask, params, sent }) {
    if (sent.get("confirm") !== params.environment) {
      throw new Invalid("Type the name of the environment to archive it");
    }
    await ask("archiveEnvironment", { envName: params.environment });
  },
};
