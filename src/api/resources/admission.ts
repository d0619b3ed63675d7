import * as z from "zod/mini";
import { policyName, reference } from "../names.ts";
import { administersOrganization, defineOperation, insideEnvironment } from "../operation.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/* Admission: whether the images of a Kubernetes pod may run in an environment, asked before the pod is created. */

/** Treatments of a pod with an image that may not run. */
export const ADMISSION_MODES = ["deny", "warn", "audit"] as const;
export type AdmissionMode = (typeof ADMISSION_MODES)[number];

/** Treatments of an image that is not pinned by digest. */
export const UNPINNED = ["deny", "warn"] as const;

/** Maximum number of admission webhooks of an organization. */
export const MAX_ADMISSION_WEBHOOKS = 100;

const API_VERSION = "admission.k8s.io/v1";

const settings = {
  /**
   * Treatment of a pod with an image that may not run: `deny` refuses it, `warn` admits it with warnings, `audit`
   * admits it and notes the reasons in the audit log of the API server and the log of the service.
   */
  mode: z._default(z.enum(ADMISSION_MODES), "deny"),
  /**
   * Treatment of an image that is not pinned by digest, as in `web@sha256:…`. `deny` treats it as one that may not
   * run, because its tag can point to another image after the check. `warn` admits it unchecked, with a warning.
   */
  unpinned: z._default(z.enum(UNPINNED), "deny"),
};

const review = z.looseObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal("AdmissionReview"),
  /** The change that the API server asks about. */
  request: z.looseObject({
    /** Id of the request, which the answer repeats. */
    uid: shortText.check(z.minLength(1)),
    kind: z.looseObject({
      /** API group; empty for pods. */
      group: z._default(shortText, ""),
      version: z._default(shortText, ""),
      kind: shortText,
    }),
    /** `CREATE`, `UPDATE`, `DELETE` or `CONNECT`. The first two are checked. */
    operation: shortText,
    namespace: z.nullish(shortText),
    name: z.nullish(shortText),
    /** Whether the change will not be made. Then a refusal triggers no notification. */
    dryRun: z.nullish(z.boolean()),
    /** The object to admit. Pods are checked. */
    object: z.optional(z.unknown()),
    /** The object before an update. Its images are not checked again. */
    oldObject: z.optional(z.unknown()),
  }),
});
export type AdmissionRequest = Camel<z.infer<typeof review>>["request"];

const reviewed = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  /** The answer to the API server. */
  response: z.looseObject({
    uid: z.string(),
    /** Whether Kubernetes may create or change the object. */
    allowed: z.boolean(),
    /** Only for a denied pod. */
    status: z.optional(
      z.looseObject({
        /** Always 403. */
        code: z.number(),
        reason: z.string(),
        /** Every image that may not run, each with its reason. */
        message: z.string(),
      }),
    ),
    /** Texts that `kubectl` shows, each at most 256 characters. */
    warnings: z.optional(z.array(z.string())),
    /** Facts for the audit log of the API server. */
    auditAnnotations: z.optional(z.record(z.string(), z.string())),
  }),
});
export type AdmissionAnswer = Camel<z.infer<typeof reviewed>>["response"];

/** An answer to the API server. */
export function reviewOf(response: AdmissionAnswer): Camel<z.infer<typeof reviewed>> {
  return { apiVersion: API_VERSION, kind: "AdmissionReview", response };
}

/**
 * Reviews a pod before Kubernetes creates or changes it. Each image is asserted in the environment, as by
 * `assertArtifact`, and the allowlist counts also for images that no flow has reported. Results are remembered for 60
 * seconds. Other objects than pods are admitted with a warning.
 */
export const reviewAdmission = defineOperation({
  name: "reviewAdmission",
  summary: "Review a pod",
  route: "POST /admission/{org}/{env_name}",
  access: "assert",
  reach: insideEnvironment,
  heavy: false,
  params: z.object({ env_name: reference }),
  query: z.object(settings),
  body: { kind: "json", schema: review },
  example: {
    apiVersion: API_VERSION,
    kind: "AdmissionReview",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind: { group: "", version: "v1", kind: "Pod" },
      operation: "CREATE",
      namespace: "shop",
      object: { spec: { containers: [{ name: "web", image: `web@sha256:${"0".repeat(64)}` }] } },
    },
  },
  responses: { 200: reviewed },
  errors: { 404: "No such environment" },
});

const admissionWebhook = z.looseObject({
  name: z.string(),
  environment_name: z.string(),
  /** Treatment of a pod with an image that may not run. */
  mode: z.enum(ADMISSION_MODES),
  /** Treatment of an image that is not pinned by digest. */
  unpinned: z.enum(UNPINNED),
  /** Name of the account at that time. */
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  /** Expiry, in Unix seconds; null if it does not expire. */
  expires_at: z.nullable(z.number()),
  /** Time of the last review, to the minute; null if it was never used. */
  last_used_at: z.nullable(z.number()),
});
export type AdmissionWebhookRecord = Camel<z.infer<typeof admissionWebhook>>;

/**
 * Creates an address to which the API server of a Kubernetes cluster sends reviews. The address contains a token, which
 * can do nothing else. Only this response contains it. To replace it, create another webhook and delete the former one.
 */
export const createAdmissionWebhook = defineOperation({
  ...administersOrganization,
  name: "createAdmissionWebhook",
  summary: "Create an admission webhook",
  route: "POST /admission-webhooks/{org}",
  body: {
    kind: "json",
    schema: z.strictObject({
      name: policyName,
      /** Environment whose policies and allowlist decide. */
      environment_name: reference,
      ...settings,
      /** Expiry, in Unix seconds. Default: none. Reviews are refused afterwards. */
      expires_at: z.nullish(z.number()),
    }),
  },
  example: { name: "cluster-1", environment_name: "production", mode: "deny" },
  responses: {
    201: z.looseObject({
      ...admissionWebhook.def.shape,
      /** Address for the API server, with the token. Only this response contains it. */
      url: z.string(),
    }),
  },
  errors: { 404: "No such environment", 409: "An admission webhook with that name already exists" },
  conflictIsFinal: true,
});

/** Lists the admission webhooks, sorted by name, without their addresses. */
export const listAdmissionWebhooks = defineOperation({
  ...administersOrganization,
  name: "listAdmissionWebhooks",
  summary: "List admission webhooks",
  route: "GET /admission-webhooks/{org}",
  responses: { 200: z.array(admissionWebhook) },
});

/** Deletes the admission webhook. Reviews sent to its address are refused from now on. */
export const deleteAdmissionWebhook = defineOperation({
  ...administersOrganization,
  name: "deleteAdmissionWebhook",
  summary: "Delete an admission webhook",
  route: "DELETE /admission-webhooks/{org}/{webhook_name}",
  params: z.object({
    /** Name of the admission webhook. */
    webhook_name: reference,
  }),
  responses: { 200: z.string() },
  errors: { 404: "No such admission webhook" },
});
