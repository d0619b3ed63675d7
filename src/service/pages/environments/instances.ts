import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { text } from "../parts/text.ts";

export type Running = AnsweredBy<"getSnapshot">["artifacts"][number];

/** Pods of an artifact that are named one by one: a deployment may have thousands. */
const NAMED = 100;

/** How many instances of an artifact run. */
export function instancesOf({ annotation, creationTimestamp, instances }: Running): number {
  return annotation?.now ?? creationTimestamp?.length ?? instances?.length ?? 0;
}

/** How many there are, and where: by namespace, service or app. */
export function instancesHtml(running: Running): Html {
  const places = placesOf(running);
  const chips =
    places.length === 0
      ? ""
      : html`<ul class="tags">${places.map((place) => html`<li>${text(place)}</li>`)}</ul>`;
  return html`${instancesOf(running)}${chips}${podsHtml(running)}`;
}

/** Each place once. */
function placesOf({ pods, ecsContext, instances }: Running): string[] {
  const ofPods = Object.values(pods ?? {}).map((pod) => wordIn(pod, "namespace"));
  const ofTask = [ecsContext?.clusterName, ecsContext?.serviceName, taskId(ecsContext?.taskArn)];
  const ofApps = (instances ?? []).map(
    ({ appName, serviceName, jobName }) => appName ?? serviceName ?? jobName,
  );
  return [...new Set([...ofPods, ...ofTask, ...ofApps].filter((place) => typeof place === "string"))].filter(
    (place) => place !== "",
  );
}

/** The last part of an ARN tells a task from the others. */
function taskId(arn: string | null | undefined): string | undefined {
  return arn ? `task ${arn.split("/").at(-1)}` : undefined;
}

function podsHtml({ pods }: Running): Html {
  const all = Object.entries(pods ?? {});
  if (all.length === 0) return html``;
  return html`<details><summary>${all.length === 1 ? "1 pod" : `${all.length} pods`}</summary><ul class="plain">${all
    .slice(0, NAMED)
    .map(
      ([name, pod]) => html`<li>${text(name)} <span class="quiet">${text(aboutPod(pod))}</span></li>
`,
    )}${all.length > NAMED ? html`<li>and ${all.length - NAMED} more</li>` : ""}</ul></details>`;
}

/** `in shop, of ReplicaSet web-1` */
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
