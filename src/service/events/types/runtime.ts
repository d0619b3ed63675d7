import * as z from "zod/mini";
import type { Links } from "../../kernel/links.ts";
import type { JudgedArtifact, Opening, StateRow } from "../../runtime/running/intervals.ts";
import type { Telling } from "../projections/raise.ts";
import { act } from "./act.ts";

/** sha256 in hex of content stored elsewhere. */
const sha256 = z.string();

export const runtimeEvents = {
  "artifact.allowed": act,
  "environment.created": act,
  "environment.changed": act,
  "environment.policies_changed": act,
  "environment.renamed": act,
  "environment.archived": act,
  "environment.unarchived": act,
  /** A logical environment changed state because its members did. */
  "environment.turned": z.object({
    is_compliant: z.boolean(),
    joined: z.array(z.string()),
  }),
  "policy.created": act,
  "policy.changed": act,
  "snapshot.taken": z.object({
    environment_id: z.string(),
    number: z.number(),
    /** False for a reevaluation. */
    reported: z.boolean(),
    /** Null without policies. */
    is_compliant: z.nullable(z.boolean()),
    /** Compliance of the previous snapshot; absent for the first one. */
    was_compliant: z.optional(z.nullable(z.boolean())),
    artifacts: sha256,
    conditions: sha256,
  }),
};

export interface ToldEnvironment extends Telling {
  readonly links: Links;
  readonly environment: { readonly id: string; readonly name: string };
}

export interface RuntimeSeen {
  /** Undefined for an artifact that was already allowed. */
  "artifact.allowed":
    | {
        readonly place: ToldEnvironment;
        readonly snapshot: { readonly number: number; readonly compliant: boolean | null } | undefined;
      }
    | undefined;
  "environment.turned": {
    readonly place: ToldEnvironment;
    /** Ids of the non-compliant members. */
    readonly failing: readonly string[];
  };
  "snapshot.taken": {
    readonly place: ToldEnvironment;
    readonly artifacts: readonly JudgedArtifact[];
    readonly opened: readonly Opening[];
    readonly exited: readonly StateRow[];
  };
}
