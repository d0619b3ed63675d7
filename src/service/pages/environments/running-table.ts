import type { Deployment } from "../../../api/resources/deployments.ts";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { approvalsOf, reviewOf } from "../deployments/answers.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import type { HowTo } from "../parts/blocks.ts";
import {
  commaList,
  digest,
  type Html,
  html,
  link,
  list,
  row,
  shortName,
  text,
  visible,
} from "../parts/html.ts";
import { serviceIn } from "../parts/image-name.ts";
import { environmentLink, linkIf } from "../parts/links.ts";
import { type Table, type TableShape, table } from "../parts/table.ts";
import { shortTime, utc } from "../parts/time.ts";
import { badge, complianceVerdict, complianceWord } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { reasonsOf } from "./environment-state.ts";

export type Running = AnsweredBy<"getSnapshot">["artifacts"][number];

interface RunningShape extends Omit<TableShape<Running>, "columns"> {
  /** Latest deployments by fingerprint, which tell who reviewed and approved. */
  readonly starts?: ReadonlyMap<string, Deployment>;
}

/** Running or former artifacts, one row each, regardless of the number of instances. */
export function runningTable(request: PageRequest, { starts = new Map(), ...shape }: RunningShape): Table {
  const { to } = request;
  const member = {
    Environment: ({ environmentName: name }: Running) =>
      name && { html: environmentLink(name, request)(to.page("environments", name), name), csv: name },
  };
  return table<Running>(request, {
    ...shape,
    columns: {
      Artifact: (each) => ({
        html: artifactRow(each, starts.get(each.fingerprint), request),
        csv: each.name,
      }),
      ...(shape.rows.some(({ environmentName }) => environmentName) ? member : {}),
      Fingerprint: { cell: ({ fingerprint }) => fingerprint, isForCsv: true },
      Status: (each) => ({ html: statusHtml(each, request), csv: complianceWord(each.compliant) }),
      "Built in": { cell: (each) => each.flows?.[0]?.flowName, isForCsv: true },
      Commit: { cell: ({ gitCommit }) => gitCommit, isForCsv: true },
      "Approved by": {
        cell: ({ fingerprint }) => starts.get(fingerprint)?.approvedBy.join(" "),
        isForCsv: true,
      },
      Instances: {
        cell: (each) => ({ html: instancesHtml(each), csv: instancesOf(each) }),
        isNumber: true,
      },
      Since: (each) => ({ html: shortTime(sinceOf(each)), csv: utc(sinceOf(each) ?? 0) }),
    },
  });
}

/** The service with its version, and below it where it was built. */
function artifactRow(running: Running, start: Deployment | undefined, request: PageRequest): Html {
  const { fingerprint, gitCommit, name } = running;
  const { service, version } = serviceIn(name);
  const [build] = running.flows ?? [];
  const { to, mayOpen } = request;
  const isAllowed = build !== undefined && mayOpen("getFlow", { flowName: build.flowName });
  const title =
    isAllowed && build
      ? html`<span title="${visible(name)}">${link(to.page("flows", build.flowName, "artifacts", fingerprint), service)}</span>`
      : pathName(name, service);
  // Many versions are the commit, which follows.
  const isNamed = version !== "" && !gitCommit?.startsWith(version);
  return row(title, [
    isNamed ? text(version) : undefined,
    fingerprint === "" ? html`${badge("Unknown", "warn")} The image has no digest.` : digest(fingerprint),
    gitCommit ? digest(gitCommit) : undefined,
    builtIn(running, request),
    ...(start ? [reviewOf(start), approvalsOf(start)] : []),
  ]);
}

/** Shows the directory of an absolute path in a lighter color, and other names as a whole. */
function pathName(name: string, service: string): Html {
  const [, folder = "", last = name] = /^(\/.*\/)([^/]+)$/.exec(name) ?? [];
  if (folder !== "") return html`<span class="quiet">${text(folder)}</span>${text(last)}`;
  return html`<span title="${visible(name)}">${text(service)}</span>`;
}

function statusHtml(running: Running, request: PageRequest): Html {
  const decisions = running.policyDecisions ?? [];
  const reasons = list(reasonsOf(running, request), "reasons");
  return html`${complianceVerdict(running.compliant)}${reasons ?? ""}${decisions.length === 0 ? "" : rulesOf(decisions)}`;
}

function rulesOf(decisions: NonNullable<Running["policyDecisions"]>): Html {
  return html`<details><summary>Rules</summary>${decisions.map(
    ({ policyName, policyVersion, ruleEvaluations }) =>
      html`<p>${text(policyName)}${policyVersion === undefined ? "" : ` version ${policyVersion}`}:</p>
<ul class="plain">${(ruleEvaluations ?? []).map(
        (each) => html`<li>${ruleBadge(each)} ${text(ruleText(each.rule))}${failureReasons(each)}</li>
`,
      )}</ul>`,
  )}</details>`;
}

type Evaluation = NonNullable<PolicyEvaluation["ruleEvaluations"]>[number];

function ruleBadge({ satisfied, ignored }: Evaluation): Html {
  if (ignored || satisfied === null || satisfied === undefined) return badge("Not required", "unknown");
  return satisfied ? badge("Satisfied", "ok") : badge("Not satisfied", "fail");
}

function ruleText({ type, definition: { name, type: kind } }: Evaluation["rule"]): string {
  if (type !== "attestation") return type.replaceAll("-", " ");
  const named = !name || name === "*" ? "any attestation" : `attestation ${name}`;
  return !kind || kind === "*" ? named : `${named} of type ${kind}`;
}

const PASSING_RESOLUTIONS = ["rule_satisfied", "rule_not_applicable"];

function failureReasons({ satisfied, resolutions }: Evaluation): Html {
  const failing =
    satisfied === false ? (resolutions ?? []).filter(({ type }) => !PASSING_RESOLUTIONS.includes(type)) : [];
  if (failing.length === 0) return html``;
  const reasons = failing.map(({ type, context }) => {
    const place = [
      context?.flowName ? `in flow ${context.flowName}` : "",
      context?.trailName ? `trail ${shortName(context.trailName)}` : "",
    ].filter(Boolean);
    return [type === "non_compliant_in_trail" ? "not compliant" : type.replaceAll("_", " "), place.join(", ")]
      .filter(Boolean)
      .join(" ");
  });
  return html`: ${text(reasons.join("; "))}`;
}

/** The flows with a link to the trail of each. */
function builtIn({ flows }: Running, { to, mayOpen }: PageRequest): Html {
  const known = flows ?? [];
  if (known.length === 0) return html`Unknown origin`;
  return commaList(
    known.map(({ flowName, trailName }) => {
      const isAllowed = mayOpen("getFlow", { flowName });
      const steps = trailName ? ["trails", trailName] : [];
      return linkIf(isAllowed, to.page("flows", flowName, ...steps), flowName);
    }),
  );
}

function sinceOf({ creationTimestamp, instances }: Running): number | undefined {
  const times = creationTimestamp ?? instances?.map((each) => each.creationTimestamp) ?? [];
  return times.length === 0 ? undefined : times.reduce((least, each) => Math.min(least, each));
}

/** Maximum number of pods to list, because a deployment may have thousands. */
const MAX_PODS = 100;

function instancesOf({ annotation, creationTimestamp, instances }: Running): number {
  return annotation?.now ?? creationTimestamp?.length ?? instances?.length ?? 0;
}

function instancesHtml(running: Running): Html {
  const places = list(placesOf(running).map(text), "tags");
  return html`${instancesOf(running)}${places ?? ""}${podsHtml(running)}`;
}

/** Namespaces of the pods; empty for what runs elsewhere. */
export function namespacesOf({ pods }: Running): string[] {
  const names = Object.values(pods ?? {}).map((pod) => wordIn(pod, "namespace"));
  return [...new Set(names)].filter((name) => name !== "");
}

function placesOf(running: Running): string[] {
  const { ecsContext, instances } = running;
  const ofTask = [ecsContext?.clusterName, ecsContext?.serviceName, taskId(ecsContext?.taskArn)];
  const ofApps = (instances ?? []).map(
    ({ appName, serviceName, jobName }) => appName ?? serviceName ?? jobName,
  );
  return [
    ...new Set([...namespacesOf(running), ...ofTask, ...ofApps].filter((place) => typeof place === "string")),
  ].filter((place) => place !== "");
}

/** The last part of a task's ARN. */
function taskId(arn: string | null | undefined): string | undefined {
  return arn ? `task ${arn.split("/").at(-1)}` : undefined;
}

function podsHtml({ pods }: Running): Html {
  const all = Object.entries(pods ?? {});
  if (all.length === 0) return html``;
  return html`<details><summary>${all.length === 1 ? "1 pod" : `${all.length} pods`}</summary><ul class="plain">${all
    .slice(0, MAX_PODS)
    .map(
      ([name, pod]) => html`<li>${text(name)} <span class="quiet">${text(aboutPod(pod))}</span></li>
`,
    )}${all.length > MAX_PODS ? html`<li>and ${all.length - MAX_PODS} more</li>` : ""}</ul></details>`;
}

function aboutPod(pod: unknown): string {
  const namespace = wordIn(pod, "namespace");
  const { owners } = Object(pod);
  const of = (Array.isArray(owners) ? owners : []).map(
    (owner) => `${wordIn(owner, "kind")} ${wordIn(owner, "name")}`,
  );
  return [namespace === "" ? "" : `in ${namespace}`, of.length === 0 ? "" : `of ${of.join(", ")}`]
    .filter(Boolean)
    .join(", ");
}

function wordIn(fields: unknown, name: string): string {
  const value = Object(fields)[name];
  return typeof value === "string" ? value : "";
}

/** Example inputs of the action by the environment types that it supports. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  K8S: { type: "k8s" },
  docker: { type: "docker" },
  server: { type: "server", paths: "/opt/app" },
};

/** The step that reports an environment: the action if it supports the type, else the operation of the type. */
export function reportStep(
  { name, type }: { readonly name: string; readonly type: string },
  request: PageRequest,
): HowTo {
  const inputs = INPUTS[type];
  const title = "Report the running artifacts";
  if (type === "logical") {
    return {
      title: "Add an environment to this logical environment",
      code: `delivery-evidence call joinEnvironment env_name=${name} --body - <<'END'\n{ "physical_env_name": "prod" }\nEND`,
    };
  }
  if (inputs === undefined) return { title, code: `delivery-evidence call --list | grep -i report` };
  return { title, code: workflowStep("report-env", { environment: name, ...inputs }, request) };
}
