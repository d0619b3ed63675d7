import * as z from "zod/mini";
import type { EvaluatedArtifact, Opening, StateRow } from "../../runtime/running/intervals.ts";
import type { AdmissionWebhookContent } from "../projections/raise.ts";
import { act, count, flag, sha256, text, texts, time } from "./act.ts";

const environment = act({
  changes: {
    name: text,
    type: text,
    description: text,
    require_provenance: flag,
    policies: texts,
    included_environments: texts,
    archived: flag,
  },
});
const policy = act({ details: { comment: text }, changes: { version: count, description: text } });

export const runtimeEvents = {
  "admission_webhook.created": act({
    changes: { environment: text, mode: text, unpinned: text, expires_at: time },
  }),
  "admission_webhook.deleted": act({ details: { environment: text } }),
  "admission_webhook.expiring": act({ details: { environment: text, expires_at: time } }),
  "artifact.allowed": act({
    details: { environment: text },
    changes: { artifact_name: text, description: text, allowed_by: text },
  }),
  "environment.created": environment,
  "environment.changed": environment,
  "environment.policies_changed": environment,
  "environment.renamed": environment,
  "environment.archived": environment,
  "environment.unarchived": environment,
  /** A logical environment changed state because its members did. */
  "environment.turned": z.strictObject({
    is_compliant: z.boolean(),
    joined: z.array(z.string()),
  }),
  "policy.created": policy,
  "policy.changed": policy,
  "snapshot.taken": z.strictObject({
    environment_id: z.string(),
    number: z.number(),
    /** False for a reevaluation. */
    reported: z.boolean(),
    /** Null without policies. */
    is_compliant: z.nullable(z.boolean()),
    /** Compliance of the previous snapshot; absent for the first one. */
    was_compliant: z.optional(z.nullable(z.boolean())),
    /** Artifacts that did not run in the previous snapshot. */
    started: z.array(z.strictObject({ name: z.string(), fingerprint: z.string() })),
    artifacts: sha256,
    conditions: sha256,
  }),
};

interface InEnvironment {
  readonly environment: { readonly id: string; readonly name: string };
}

export interface AllowedIn extends InEnvironment {
  readonly snapshot: { readonly number: number; readonly compliant: boolean | null } | undefined;
}

export interface RuntimeSeen {
  "admission_webhook.expiring": { readonly content: AdmissionWebhookContent };
  /** Undefined for an artifact that was already allowed. */
  "artifact.allowed": AllowedIn | undefined;
  "environment.turned": InEnvironment & {
    /** Ids of the non-compliant members. */
    readonly failing: readonly string[];
  };
  "snapshot.taken": InEnvironment & {
    readonly artifacts: readonly EvaluatedArtifact[];
    readonly opened: readonly Opening[];
    readonly exited: readonly StateRow[];
  };
}
