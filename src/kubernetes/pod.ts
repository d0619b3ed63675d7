import type { PodEntry } from "../api/resources/reports.ts";
import { asObject, asObjects, asText, isObject, type Untyped } from "../api/untyped.ts";
import { imageName, repoDigest } from "./image.ts";

/** A container whose image has no usable digest. */
export interface UnknownImage {
  container: string;
  image: string;
  imageID: string;
}

export type PodReduction =
  | { entry: PodEntry; unknownImages: readonly UnknownImage[] }
  /** Why the pod is omitted: its phase, or that nothing ever ran in it. */
  | { leftOut: "Pending" | "Succeeded" | "Unknown" | "never started" };

/** The value is not a pod. The message explains why. */
export class NotAPod extends Error {}

/**
 * Reduces a Kubernetes Pod to its entry in a report.
 *
 * | pod                                                     | reported                                            |
 * |---------------------------------------------------------|-----------------------------------------------------|
 * | Running, also while crash-looping or being deleted      | yes                                                 |
 * | Running, an image without a repo digest                 | yes, without that image, which is in `unknownImages`|
 * | Running, a container still being created or pulled      | yes, without its image, in the same way             |
 * | Failed                                                  | yes: what ran is evidence                           |
 * | Failed before any container had an image (evicted)      | no: nothing is known to have run                    |
 * | Pending (also ContainerCreating, ImagePullBackOff)      | no: nothing runs yet                                |
 * | Succeeded (a finished job)                              | no: nothing runs anymore                            |
 * | Unknown, or no phase                                    | no: the node is not responding                      |
 * | a static pod, or any other without owners               | as above, with no owners                            |
 *
 * The report has the containers in `containerStatuses`, and init containers with `restartPolicy: Always` (sidecars). Other
 * init containers have ended by then, and ephemeral containers are debugging sessions, not deployments.
 *
 * Two containers of one image have one digest. Two digests under one name are both kept: the second under
 * `name@sha256:digest`.
 *
 * @throws {NotAPod} when the value has no name, namespace or creation time, or is of another kind.
 */
export function reducePod(value: unknown): PodReduction {
  if (!isObject(value)) throw new NotAPod(`expected a Pod, found ${kindOfValue(value)}`);
  const kind = value["kind"] ?? "Pod";
  if (kind !== "Pod") throw new NotAPod(`expected a Pod, found ${asText(kind) || "another kind"}`);
  const metadata = asObject(value["metadata"]);
  const podName = required(metadata, "name");
  const namespace = required(metadata, "namespace");
  const status = asObject(value["status"]);

  const phase = asText(status["phase"]);
  if (phase === "Pending" || phase === "Succeeded") return { leftOut: phase };
  if (phase !== "Running" && phase !== "Failed") return { leftOut: "Unknown" };

  const containers = runningContainers(asObject(value["spec"]), status);
  if (phase === "Failed" && containers.every(({ imageID }) => imageID === ""))
    return { leftOut: "never started" };
  const { digests, unknownImages } = digestsOf(containers);
  const creationTimestamp = unixSeconds(metadata["creationTimestamp"]) ?? unixSeconds(status["startTime"]);
  if (creationTimestamp === undefined) throw new NotAPod("metadata.creationTimestamp is not a time");
  const owners = asObjects(metadata["ownerReferences"]).map(ownerReference);
  return { entry: { podName, namespace, digests, creationTimestamp, owners }, unknownImages };
}

interface Container {
  name: string;
  runtimeImage: string;
  specifiedImage: string;
  imageID: string;
}

function runningContainers(spec: Untyped, status: Untyped): Container[] {
  const specified = asObjects(spec["containers"]);
  const sidecars = asObjects(spec["initContainers"]).filter(
    ({ restartPolicy }) => restartPolicy === "Always",
  );
  const sidecarStatuses = asObjects(status["initContainerStatuses"]).filter(({ name }) =>
    sidecars.some((sidecar) => sidecar["name"] === name),
  );
  const described = (states: readonly Untyped[], specs: readonly Untyped[]) =>
    states.map((state) => ({
      name: asText(state["name"]),
      runtimeImage: asText(state["image"]),
      specifiedImage: asText(specs.find(({ name }) => name === state["name"])?.["image"]),
      imageID: asText(state["imageID"]),
    }));
  return [
    ...described(asObjects(status["containerStatuses"]), specified),
    ...described(sidecarStatuses, sidecars),
  ];
}

function digestsOf(containers: readonly Container[]) {
  const digests = new Map<string, string>();
  const unknownImages: UnknownImage[] = [];
  for (const { name, runtimeImage, specifiedImage, imageID } of containers) {
    const image = imageName({ runtime: runtimeImage, specified: specifiedImage, imageID });
    const digest = repoDigest(imageID);
    if (digest === undefined) unknownImages.push({ container: name, image, imageID });
    else if ((digests.get(image) ?? digest) === digest) digests.set(image, digest);
    else digests.set(`${image.split("@", 1)[0]}@sha256:${digest}`, digest);
  }
  return { digests: Object.fromEntries(digests), unknownImages };
}

/** An absent flag stays absent. */
function ownerReference(owner: Untyped) {
  const { controller, blockOwnerDeletion } = owner;
  return {
    apiVersion: asText(owner["apiVersion"]),
    kind: asText(owner["kind"]),
    name: asText(owner["name"]),
    uid: asText(owner["uid"]),
    ...(typeof controller === "boolean" && { controller }),
    ...(typeof blockOwnerDeletion === "boolean" && { blockOwnerDeletion }),
  };
}

function unixSeconds(time: unknown): number | undefined {
  if (typeof time !== "string" || !/^\d{4}-\d\d-\d\dT/.test(time)) return undefined;
  const milliseconds = Date.parse(time);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

function required(metadata: Untyped, field: "name" | "namespace"): string {
  const value = asText(metadata[field]);
  if (value === "") throw new NotAPod(`expected a Pod, found an object without metadata.${field}`);
  return value;
}

function kindOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}
