import * as z from "zod/mini";
import type { AdmissionRequest } from "../../../api/resources/admission.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { validate } from "../../kernel/validate.ts";

/** An image that a pod names, with where it names it. */
export interface PodImage {
  /** `container web`, or `volume models`. */
  readonly place: string;
  /** As written; empty if the container has none. */
  readonly image: string;
  /** Undefined for an image that is not pinned by digest. */
  readonly fingerprint: string | undefined;
}

const containers = z.nullish(
  z.array(z.looseObject({ name: z._default(z.string(), ""), image: z.nullish(z.string()) })),
);
const pod = z.looseObject({
  spec: z.looseObject({
    initContainers: containers,
    containers,
    ephemeralContainers: containers,
    volumes: z.nullish(
      z.array(
        z.looseObject({
          name: z._default(z.string(), ""),
          image: z.nullish(z.looseObject({ reference: z.nullish(z.string()) })),
        }),
      ),
    ),
  }),
});

/** Objects that run nothing new: a deletion, or a connection to a pod. */
const CHECKED_OPERATIONS = ["CREATE", "UPDATE"];

/**
 * Images that an object adds. An update is checked for new images only, so that a running pod can be labeled and removed
 * after its artifact has become non-compliant. Undefined for an object that is no pod.
 *
 * @throws Invalid
 */
export function newImages({ kind, operation, object, oldObject }: AdmissionRequest): PodImage[] | undefined {
  if (!CHECKED_OPERATIONS.includes(operation)) return [];
  if (kind.group !== "" || kind.kind !== "Pod") return undefined;
  const isUpdate = operation === "UPDATE" && oldObject !== undefined && oldObject !== null;
  const known = new Set(isUpdate ? imagesOf(oldObject, "oldObject").map(({ image }) => image) : []);
  return imagesOf(object, "object").filter(({ image }) => !known.has(image));
}

function imagesOf(object: unknown, field: string): PodImage[] {
  const checked = validate(pod, object, { root: `request.${field}`, prefix: `request.${field}.` });
  if ("errors" in checked) throw invalidInput(checked.errors, { count: checked.count });
  // The schema has just confirmed the type.
  const { spec } = checked.value as z.infer<typeof pod>;
  const all = [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap((list) => list ?? []);
  return [
    ...all.map(({ name, image }) => podImage(`container ${name}`, image ?? "")),
    ...(spec.volumes ?? []).flatMap(({ name, image }) =>
      image ? [podImage(`volume ${name}`, image.reference ?? "")] : [],
    ),
  ];
}

function podImage(place: string, image: string): PodImage {
  return { place, image, fingerprint: /@sha256:([a-f0-9]{64})$/.exec(image)?.[1] };
}
