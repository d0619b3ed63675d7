import * as z from "zod/mini";
import { fingerprint, reference } from "./names.ts";
import { defineOperation } from "./operation.ts";
import { shortText } from "./texts.ts";
import type { Camel } from "./wire-names.ts";

const ownerReference = z.looseObject({
  apiVersion: shortText,
  kind: shortText,
  name: shortText,
  uid: shortText,
  controller: z.nullish(z.boolean()),
  blockOwnerDeletion: z.nullish(z.boolean()),
});

export const podEntry = z.strictObject({
  podName: shortText,
  namespace: shortText,
  /** sha256 in hex by image name. */
  digests: z.record(shortText, fingerprint),
  /** Unix seconds. */
  creationTimestamp: z.int(),
  owners: z.nullish(z.array(ownerReference)),
});
export type PodEntry = Camel<z.infer<typeof podEntry>>;

/** What a report is told whose body is not one. */
export const INVALID_REPORT = "Invalid report data";

export const reportK8S = defineOperation({
  name: "reportK8S",
  invalidBodyMessage: INVALID_REPORT,
  summary: "Report the pods that run in a Kubernetes environment",
  method: "PUT",
  path: "/environments/{org}/{env_name}/report/K8S",
  access: "report",
  params: z.object({ env_name: reference }),
  body: {
    kind: "json",
    schema: z.strictObject({ type: z._default(z.literal("K8S"), "K8S"), artifacts: z.array(podEntry) }),
  },
  /** 201 when a snapshot was created, 200 when the latest one still holds. */
  responses: { 200: z.string(), 201: z.string() },
  errors: { 404: "No such environment" },
});
