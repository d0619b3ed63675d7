import * as z from "zod/mini";

/**
 * Header of a response that compares the record with the proven origin: `verified`, `unproven; commit` or `different;
 * run`.
 */
export const ORIGIN_HEADER = "X-Evidence-Origin";

/**
 * - `verified`: the token proves each commit, repository, run and branch that the record names.
 * - `unproven`: the token proves some of them and does not contain the others.
 * - `different`: the token proves another one, or another run spooled the record.
 *
 * A token names no author, so authors are never proven. The sign-in of a person proves no commit: `unproven`.
 */
export const originState = z.enum(["verified", "unproven", "different"]);

/** Header of a replay with the run that made the record: text for people, percent-encoded. */
export const SPOOLED_BY_HEADER = "X-Evidence-Spooled-By";

/**
 * Origin of the record as proven by a token of its workflow, and for overrides and approvals also by the sign-in of a
 * person. Absent for records made with an API key. Only the embedded service has it.
 */
export const recordOrigin = z.nullish(
  z.looseObject({
    state: originState,
    /** Name of the run, such as `github:acme/web build.yml run 123 attempt 1`, or of the person. */
    name: z.string(),
    /** Page of the run. */
    url: z.nullish(z.string()),
    /** Issuer that signed the token. */
    issuer: z.string(),
    /** Name of the matching trust policy at that time. Empty for a person. */
    policy: z.string(),
    /** Differences by field: the value of the record and the proven value, which is empty if the token proves none. */
    differences: z.record(z.string(), z.looseObject({ said: z.string(), proven: z.string() })),
    /** For overrides and approvals: whether the author of the commit made it. Absent if unknown. */
    by_author: z.optional(z.boolean()),
    /** Claims of the token. */
    claims: z.record(z.string(), z.unknown()),
  }),
);

/** Run that spooled a replayed record, as the spool claims without proof. Only the embedded service has it. */
export const spooledBy = z.nullish(z.string());
