import type { TaskEntry } from "../../api/resources/reports.ts";
import { asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { NameSelection } from "../../evidence/name-selection.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import { objectIn, strangeAnswer } from "../answers.ts";
import { pagesOf } from "../pages.ts";
import type { Aws } from "./aws.ts";

/** Clusters in progress at a time. */
const AT_A_TIME = 8;
/** Most items of a page, and most tasks that one request describes. */
const PAGE_SIZE = 100;
const DIGEST = /^sha256:([0-9a-f]{64})$/;
const PINNED = /@sha256:([0-9a-f]{64})$/;
const SERVICE = "service:";

export interface TaskSelection {
  readonly clusters: NameSelection;
  readonly services: NameSelection;
  /** Whether tasks that no service started are included. */
  readonly standaloneTasks: boolean;
}

/**
 * The running tasks of a region, sorted. A task without a known digest has an empty one.
 *
 * @throws InputError, NetworkError if a cluster cannot be read
 */
export async function readEcs(aws: Aws, selection: TaskSelection): Promise<TaskEntry[]> {
  const known = await clusterNames(aws);
  aws.cloud.warnOfMissing("include: no cluster is named", selection.clusters.missingFrom(known));
  const clusters = known.filter((name) => selection.clusters.includes(name));
  const read = await fewAtATime(AT_A_TIME, clusters, (cluster) => tasksOf(aws, cluster));
  const tasks = read.flat();
  const services = tasks.map(serviceOf).filter((name) => name !== undefined);
  const idle = selection.services.missingFrom(services);
  aws.cloud.warnOfMissing("services: no running task belongs to", idle);
  const unknown = new Set<string>();
  const entries = tasks.flatMap((task) => {
    const service = serviceOf(task);
    const isMeant = service === undefined ? selection.standaloneTasks : selection.services.includes(service);
    return isMeant && task["lastStatus"] === "RUNNING" ? [entryOf(task, service, unknown)] : [];
  });
  const names = [...unknown].sort();
  aws.cloud.warnOfUnknown({ things: "images", names });
  return entries.sort((a, b) => (a.taskArn < b.taskArn ? -1 : 1));
}

/** The names of all clusters of a region. */
export async function clusterNames(aws: Aws): Promise<string[]> {
  const names: string[] = [];
  for await (const { items } of listed(aws, "ListClusters", {}, "clusterArns"))
    names.push(...items.map(clusterOf));
  return names;
}

async function tasksOf(aws: Aws, cluster: string): Promise<Untyped[]> {
  const tasks: Untyped[] = [];
  for await (const { items } of listed(aws, "ListTasks", { cluster, desiredStatus: "RUNNING" }, "taskArns")) {
    if (items.length === 0) continue;
    // A task that ended since the list is among its failures.
    const { tasks: described, failures } = await ask(aws, "DescribeTasks", { cluster, tasks: items });
    const fault = asObjects(failures).find(({ reason }) => reason !== "MISSING");
    if (!Array.isArray(described) || fault !== undefined) {
      const reason = fault === undefined ? "no list of tasks" : `a failure: ${asText(fault["reason"])}`;
      throw strangeAnswer(`Amazon ecs returned ${reason}`);
    }
    tasks.push(...asObjects(described));
  }
  return tasks;
}

function listed(aws: Aws, operation: string, parameters: Untyped, field: string) {
  return pagesOf(async (position) => {
    const more = position === "" ? {} : { nextToken: position };
    const answer = await ask(aws, operation, { ...parameters, maxResults: PAGE_SIZE, ...more });
    const items = answer[field];
    if (!Array.isArray(items)) throw strangeAnswer(`Amazon ecs returned no ${field}`);
    return { items: items.map(asText), next: asText(answer["nextToken"]) };
  });
}

async function ask(aws: Aws, operation: string, json: Untyped): Promise<Untyped> {
  const headers = { "x-amz-target": `AmazonEC2ContainerServiceV20141113.${operation}` };
  const { cluster } = json;
  const ofCluster = typeof cluster === "string" && {
    input: "include",
    advice: `Run again, since the cluster '${cluster}' may have been deleted meanwhile.`,
  };
  const request = { service: "ecs", right: `ecs:${operation}`, method: "POST", headers, json } as const;
  return objectIn(await aws.ask({ ...request, ...ofCluster }));
}

function entryOf(task: Untyped, service: string | undefined, unknown: Set<string>): TaskEntry {
  const digests = new Map<string, string>();
  for (const container of asObjects(task["containers"])) {
    const { image, imageDigest, name } = container;
    // Containers that Amazon adds have no image.
    const key = asText(image) || asText(name);
    const digest = DIGEST.exec(asText(imageDigest))?.[1] ?? PINNED.exec(asText(image))?.[1] ?? "";
    // One of two containers of an image may have no digest yet.
    if (key !== "") digests.set(key, digest || digests.get(key) || "");
  }
  for (const [image, digest] of digests) if (digest === "") unknown.add(image);
  return {
    taskArn: asText(task["taskArn"]),
    clusterName: clusterOf(asText(task["clusterArn"])),
    ...(service !== undefined && { serviceName: service }),
    digests: Object.fromEntries([...digests].sort(([a], [b]) => (a < b ? -1 : 1))),
    creationTimestamp: startOf(task),
  };
}

/** The service that started a task. The group of other tasks names their family. */
function serviceOf({ group }: Untyped): string | undefined {
  const text = asText(group);
  return text.startsWith(SERVICE) ? text.slice(SERVICE.length) : undefined;
}

/** `arn:aws:ecs:eu-central-1:123456789012:cluster/shop` is `shop`. */
function clusterOf(arn: string): string {
  return arn.slice(arn.indexOf("cluster/") + "cluster/".length);
}

/** In whole Unix seconds. A task may run before its start is recorded. */
function startOf({ startedAt, createdAt }: Untyped): number {
  const seconds = [startedAt, createdAt].find((each) => typeof each === "number") ?? 0;
  return Math.floor(seconds);
}
