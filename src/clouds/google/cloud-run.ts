import { InputError, ProtocolError } from "../../api/client/errors.ts";
import type { RunEntry } from "../../api/resources/reports.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { NameSelection } from "../../evidence/name-selection.ts";
import { unixSeconds } from "../answers.ts";
import { pagesOf } from "../pages.ts";
import type { Google } from "./google.ts";
import { ImageDigests } from "./image-digests.ts";

const ROLE = "roles/run.viewer";
/** It is part of a host name. */
const REGION = /^[a-z]+(-[a-z]+)+\d+$/;

export interface RunRequest {
  readonly project: string;
  readonly region: string;
  /** Of services and jobs. */
  readonly selection: NameSelection;
  /** Whether images that are given by digest get their tag as name. */
  readonly resolveNames: boolean;
}

/** A revision or job without its digests. */
interface Workload {
  readonly about: Omit<RunEntry, "digests" | "creationTimestamp">;
  readonly images: readonly string[];
  /** `HOST/PATH@sha256:…` of one of the images, as it was resolved when the revision was created. */
  readonly resolved: string;
  readonly createdAt: string;
}

/**
 * The revisions that services of a region send requests to, and its jobs, sorted by name. Revisions without requests
 * count too, if the service lists them.
 *
 * @throws InputError, NetworkError if a list cannot be read
 */
export async function readCloudRun(google: Google, request: RunRequest): Promise<RunEntry[]> {
  if (!REGION.test(request.region)) {
    const problem = `'${request.region}' is not a region of Google Cloud, such as europe-west1`;
    throw new InputError([{ input: "google-region", problem }]);
  }
  const { selection, resolveNames } = request;
  const [services, jobs] = await Promise.all([
    listOf(google, request, "services"),
    listOf(google, request, "jobs"),
  ]);
  const missing = selection.missingFrom([...services, ...jobs].map(({ name }) => lastOf(name)));
  google.cloud.warnOfMissing("include: no service or job is named", missing);
  const isSelected = (item: Untyped) => selection.includes(lastOf(item["name"]));
  const workloads = [
    ...(await revisionsOf(google, request, services.filter(isSelected))),
    ...jobs.filter(isSelected).map(jobOf),
  ];
  const digests = new ImageDigests(google);
  const entries = await Promise.all(
    workloads.map(async ({ about, images, resolved, createdAt }) => {
      const found = images.map(async (image): Promise<[string, string]> => {
        const digest = await digests.digestOf(image, images.length === 1, resolved);
        return [resolveNames ? await digests.nameOf(image) : image, digest];
      });
      const sorted = (await Promise.all(found)).sort(([a], [b]) => (a < b ? -1 : 1));
      return { ...about, digests: Object.fromEntries(sorted), creationTimestamp: unixSeconds(createdAt) };
    }),
  );
  google.cloud.warnOfUnknown({ things: "images", names: [...digests.unknown].sort() });
  return entries.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf({ kind, serviceName, revisionName, jobName }: RunEntry): string {
  return JSON.stringify([kind, serviceName ?? jobName, revisionName]);
}

/** All items of a list of the second version of the interface. */
async function listOf(
  google: Google,
  { project, region }: RunRequest,
  kind: "services" | "jobs",
): Promise<Untyped[]> {
  const path = `/v2/projects/${encodeURIComponent(project)}/locations/${region}/${kind}`;
  const items: Untyped[] = [];
  const pages = pagesOf(async (position) => {
    const url = new URL(`https://run.googleapis.com${path}?pageSize=100`);
    if (position !== "") url.searchParams.set("pageToken", position);
    const page = await google.read({ url, role: ROLE });
    requireAll(page["unreachable"]);
    return { items: asObjects(page[kind]), next: asText(page["nextPageToken"]) };
  });
  for await (const page of pages) items.push(...page.items);
  return items;
}

/** A partial list would show everything else as exited. */
function requireAll(unreachable: unknown): void {
  if (Array.isArray(unreachable) && unreachable.length > 0)
    throw new ProtocolError({
      what: `Cloud Run could not read ${unreachable.join(", ")}`,
      advice: "Nothing was reported. Try again later.",
    });
}

/** The revisions of services. Only the first version of the interface has their resolved digests. */
async function revisionsOf(
  google: Google,
  { project, region }: RunRequest,
  services: readonly Untyped[],
): Promise<Workload[]> {
  const wanted = new Map(services.flatMap((service) => revisionNames(service)));
  if (wanted.size === 0) return [];
  const found: Workload[] = [];
  const pages = pagesOf(async (position) => {
    const path = `/apis/serving.knative.dev/v1/namespaces/${encodeURIComponent(project)}/revisions?limit=500`;
    const url = new URL(`https://${region}-run.googleapis.com${path}`);
    if (position !== "") url.searchParams.set("continue", position);
    const page = await google.read({ url, role: ROLE });
    requireAll(page["unreachable"]);
    return { items: asObjects(page["items"]), next: asText(asObject(page["metadata"])["continue"]) };
  });
  for await (const { items } of pages) {
    for (const { metadata, spec, status } of items) {
      const { name, creationTimestamp } = asObject(metadata);
      const revisionName = asText(name);
      const serviceName = wanted.get(revisionName);
      if (serviceName === undefined || !wanted.delete(revisionName)) continue;
      found.push({
        about: { kind: "service", serviceName, revisionName },
        images: imagesOf(asObject(spec)["containers"]),
        resolved: asText(asObject(status)["imageDigest"]),
        createdAt: asText(creationTimestamp),
      });
    }
  }
  if (wanted.size > 0) {
    const names = [...wanted.keys()].sort().join(", ");
    google.cloud.options.onWarning(`not reported, because they were removed meanwhile: ${names}`);
  }
  return found;
}

/** Each revision that a service lists, with the service. Without a name, the newest is meant. */
function revisionNames({
  name,
  traffic,
  latestReadyRevision,
}: Untyped): [revision: string, service: string][] {
  const targets = asObjects(traffic);
  const latest = lastOf(latestReadyRevision);
  const named = targets.map(({ revision }) => lastOf(revision) || latest);
  return [...new Set(targets.length === 0 ? [latest] : named)]
    .filter(Boolean)
    .map((revision) => [revision, lastOf(name)]);
}

function jobOf({ name, template, createTime }: Untyped): Workload {
  const task = asObject(asObject(template)["template"]);
  return {
    about: { kind: "job", jobName: lastOf(name) },
    images: imagesOf(task["containers"]),
    resolved: "",
    createdAt: asText(createTime),
  };
}

function imagesOf(containers: unknown): string[] {
  return [...new Set(asObjects(containers).map(({ image }) => asText(image)))].filter(Boolean);
}

/** `projects/p/locations/r/services/web` is `web`. */
function lastOf(name: unknown): string {
  return asText(name).replace(/^.*\//, "");
}
