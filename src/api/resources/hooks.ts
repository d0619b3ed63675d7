import * as z from "zod/mini";
import { flowName, policyName, reference } from "../names.ts";
import { administersOrganization, defineOperation } from "../operation.ts";
import type { Camel } from "../wire-names.ts";

/* Hooks: addresses to which other systems send signed webhooks, which are recorded as attestations. */

/** Systems that may send to a hook. */
export const HOOK_KINDS = ["sonar", "launch-darkly"] as const;
export type HookKind = (typeof HOOK_KINDS)[number];

/** Maximum number of hooks of an organization. */
export const MAX_HOOKS = 100;

const hook = z.looseObject({
  name: z.string(),
  kind: z.enum(HOOK_KINDS),
  /** Flow of the attestations; null if it follows from what is sent. */
  flow_name: z.nullable(z.string()),
  /** Address for the sender's webhook. */
  url: z.string(),
  /** Name of the account at that time. */
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
});
export type HookRecord = Camel<z.infer<typeof hook>>;

/**
 * Creates an address for webhooks of SonarQube or LaunchDarkly, and the secret with which the sender signs them. Only
 * this response contains the secret. Webhooks are recorded as attestations, and repeats within 24 hours are ignored.
 */
export const createHook = defineOperation({
  ...administersOrganization,
  name: "createHook",
  summary: "Create a hook",
  route: "POST /hooks/{org}",
  body: {
    kind: "json",
    schema: z.strictObject({
      name: policyName,
      /** System that sends the webhooks. */
      kind: z.enum(HOOK_KINDS),
      /**
       * Flow of the attestations. Default: the key of the Sonar project, or `launch-darkly-` and the environment of
       * the flag. It is created if it does not exist.
       */
      flow_name: z.nullish(flowName),
    }),
  },
  example: { name: "sonar", kind: "sonar" },
  responses: {
    201: z.looseObject({
      ...hook.def.shape,
      /** Secret for the sender's signatures. Only this response contains it. */
      secret: z.string(),
    }),
  },
  errors: { 409: "A hook with that name already exists, or the service has no key for secrets" },
  conflictIsFinal: true,
});

/** Lists the hooks, sorted by name, without their secrets. */
export const listHooks = defineOperation({
  ...administersOrganization,
  name: "listHooks",
  summary: "List hooks",
  route: "GET /hooks/{org}",
  responses: { 200: z.array(hook) },
});

/** Deletes the hook. Webhooks to its address are refused from now on. Attestations remain. */
export const deleteHook = defineOperation({
  ...administersOrganization,
  name: "deleteHook",
  summary: "Delete a hook",
  route: "DELETE /hooks/{org}/{hook_name}",
  params: z.object({
    /** Name of the hook. */
    hook_name: reference,
  }),
  responses: { 200: z.string() },
  errors: { 404: "No such hook" },
});
