import type { PodEntry } from "../api/resources/reports.ts";
import { asObject, asText } from "../api/untyped.ts";
import { type PodReduction, reducePod, type UnknownImage } from "./pod.ts";
import type { NamespaceSelection } from "./select.ts";

/** Pods named in warnings. Missing digests are usually one problem of the whole cluster. */
const NAMED_PODS = 10;

export type ReportedPod = Extract<PodReduction, { entry: unknown }>;

/** Collects pods for a report: each once, and only the needed fields. */
export class PodCollector {
  readonly #selection: NamespaceSelection;
  readonly #reported = new Map<string, ReportedPod>();

  constructor(selection: NamespaceSelection) {
    this.#selection = selection;
  }

  /** @throws {NotAPod} */
  add(pod: unknown): void {
    const reduction = reducePod(pod);
    const { namespace } = asObject(asObject(pod)["metadata"]);
    if (!this.#selection.includes(String(namespace))) return;
    if ("entry" in reduction) this.#reported.set(podKey(pod), reduction);
  }

  report(onWarning: (message: string) => void): PodEntry[] {
    return podReport(this.#reported.values(), onWarning);
  }
}

/** Pods of two clusters may share a name, but not a uid. Handwritten pods may lack one. */
export function podKey(pod: unknown): string {
  const { uid, name, namespace } = asObject(asObject(pod)["metadata"]);
  return asText(uid) || `${namespace}/${name}`;
}

/** The report, by namespace, then by name. Warns of images without a digest. */
export function podReport(pods: Iterable<ReportedPod>, onWarning: (message: string) => void): PodEntry[] {
  const reported = [...pods].sort((a, b) => byNamespaceAndName(a.entry, b.entry));
  const incomplete = reported.filter(({ unknownImages }) => unknownImages.length > 0);
  for (const { entry, unknownImages } of incomplete.slice(0, NAMED_PODS)) {
    onWarning(
      `pod ${entry.namespace}/${entry.podName} is reported without ${unknownImages.map(described).join(", ")}`,
    );
  }
  const others = incomplete.length - NAMED_PODS;
  if (others > 0) onWarning(`${others} more pods are reported without the digest of an image`);
  return reported.map(({ entry }) => entry);
}

function described({ container, image, imageID }: UnknownImage): string {
  const why =
    imageID === "" ? "has no image ID yet" : `has the image ID '${imageID}', which is not a repo digest`;
  return `the digest of '${image}' (container ${container} ${why})`;
}

function byNamespaceAndName(a: PodEntry, b: PodEntry): number {
  return (
    compare(a.namespace, b.namespace) ||
    compare(a.podName, b.podName) ||
    a.creationTimestamp - b.creationTimestamp
  );
}

/** By code unit, since locales differ between machines. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
