import * as z from "zod/mini";
import type { TrailRecords } from "../../evidence/compliance/trail-records.ts";
import type { Authors } from "../../evidence/origins/authors.ts";
import type { StatedOrigin, StatedRepository } from "../../evidence/origins/compare.ts";
import type { PlaceInFlow } from "../projections/flow-content.ts";
import { act, change, flag, notProjected, sha256, text } from "./act.ts";

/** A user's JSON as stored text, because its numbers may exceed doubles. */
const userJson = z.string();

const flow = act({
  changes: { description: text, visibility: text, repo_url: text, template_sha256: sha256, archived: flag },
});

const source = {
  git_commit_info: z.nullable(userJson),
  repo_id: z.nullable(z.string()),
};

const trail = {
  ...source,
  flow_id: z.string(),
  /** Its name at the time. */
  flow: z.string(),
  description: z.string(),
  origin_url: z.nullable(z.string()),
  external_urls: z.nullable(userJson),
  user_data: userJson,
  created_by: z.string(),
  template_id: z.string(),
  repo_ids: z.array(z.string()),
};

const artifact = z.strictObject({
  ...source,
  flow_id: z.string(),
  fingerprint: z.string(),
  template_name: z.nullable(z.string()),
  commit_sha: z.nullable(z.string()),
  is_compliant: z.nullable(z.boolean()),
  build_url: z.string(),
  commit_url: z.string(),
  repo_url: z.nullable(z.string()),
  details: sha256,
});

const attestation = {
  ...source,
  flow_id: z.string(),
  type: z.string(),
  /** Identifier of the control that a decision is about. */
  control: z.nullable(z.string()),
  is_compliant: z.boolean(),
  origin_url: z.nullable(z.string()),
  commit_sha: z.nullable(z.string()),
  artifact: z.nullable(
    z.strictObject({
      id: z.string(),
      fingerprint: z.string(),
      filename: z.string(),
      template_name: z.nullable(z.string()),
    }),
  ),
  targets: z.array(z.string()),
  details: sha256,
  attachments: z.array(z.strictObject({ name: z.string(), size: z.number(), sha256 })),
};

const override = {
  ...attestation,
  /** Their names at the time. */
  flow: z.string(),
  trail: z.string(),
  reason: z.string(),
  overridden_id: z.nullable(z.string()),
  /** Null when nothing was overridden. */
  was_compliant: z.nullable(z.boolean()),
};

const approval = z.strictObject({
  flow_id: z.string(),
  number: z.number(),
  artifact_fingerprint: z.string(),
  artifact_name: z.string(),
  environment: z.nullable(z.string()),
  environment_id: z.nullable(z.string()),
  description: z.string(),
  commits: z.array(z.string()),
  state: z.enum(["APPROVED", "UNAPPROVED", "PENDING"]),
  reviews: userJson,
  reviewer: z.nullable(z.string()),
  user_data: z.nullable(userJson),
});

/** `digest` is the sha256 of the statement as it was signed. */
const statement = z
  .strictObject({
    predicate_type: z.string(),
    artifact_fingerprint: z.nullable(z.string()),
    digest: sha256,
    key_id: z.string(),
  })
  .register(notProjected, { reason: "Nothing depends on a statement" });

export const evidenceEvents = {
  "flow.created": flow,
  "flow.changed": flow,
  "flow.template_changed": flow,
  "flow.renamed": act({ changes: { name: text } }),
  "flow.archived": act(),
  "flow.unarchived": flow,
  "trail.begun": z.strictObject(trail),
  "trail.updated": z.strictObject({
    ...trail,
    changes: z.array(z.string()),
    template_sha256: change(z.nullable(sha256)),
  }),
  /** An event recorded before the baseline, in the form in which it was shown. */
  "trail.carried_over": z
    .strictObject({ ...source, flow_id: z.string(), type: z.string(), details: z.string() })
    .register(notProjected, { reason: "Its effects were carried over as well" }),
  "artifact.reported": artifact,
  "attestation.recorded": z.strictObject(attestation),
  "attestation.overridden": z.strictObject(override),
  "approval.recorded": approval,
  "statement.signed": statement,
};

export interface TrailEvaluation {
  readonly before: TrailRecords;
  readonly after: TrailRecords;
}

export interface LatestAttestation {
  readonly id: string;
  readonly trailId: string;
  readonly name: string;
  readonly type: string;
  readonly fingerprint: string | null;
  readonly targets: readonly string[];
  readonly commitSha: string | null;
  readonly control: string | undefined;
}

interface AttestationSeen {
  readonly place: PlaceInFlow;
  readonly evaluation: TrailEvaluation;
  readonly latest: LatestAttestation;
  /** JSON in wire names. */
  readonly details: string;
  readonly stated: StatedOrigin;
  readonly linked: readonly StatedRepository[];
  readonly authors: Authors | undefined;
}

export interface EvidenceSeen {
  "trail.begun": { readonly stated: StatedOrigin; readonly place: PlaceInFlow };
  /** No `stated`: no source given. No `evaluation`: the template is unchanged. */
  "trail.updated": {
    readonly stated: StatedOrigin | undefined;
    readonly evaluation: TrailEvaluation | undefined;
  };
  /** No `evaluation`: reported to the flow alone. */
  "artifact.reported": {
    readonly place: PlaceInFlow;
    readonly evaluation: TrailEvaluation | undefined;
    readonly stated: StatedOrigin;
    readonly linked: readonly StatedRepository[];
  };
  "attestation.recorded": AttestationSeen;
  "attestation.overridden": AttestationSeen;
  "approval.recorded": {
    readonly place: PlaceInFlow;
    readonly authors: Authors | undefined;
  };
}
