import * as z from "zod/mini";

/**
 * The header of an answer that compares the record with what was proven: `verified`, `unproven; commit`, `different;
 * run`.
 */
export const ORIGIN_HEADER = "X-Evidence-Origin";

/**
 * - `verified`: the token proves each commit, repository, run and branch that the record names.
 * - `unproven`: the token proves some of them and says nothing of the others.
 * - `different`: the token proves another one, or another run spooled the record.
 *
 * A token names no author, so authors are never proven.
 */
export const originState = z.enum(["verified", "unproven", "different"]);

/** The header by which a replay says which run made what it records: text for people, percent-encoded. */
export const SPOOLED_BY_HEADER = "X-Evidence-Spooled-By";

/**
 * Who made a record, where that was proven by a token of its workflow. Only the embedded service has it. A record that
 * was made with an API key has none.
 */
export const recordOrigin = z.nullish(
  z.looseObject({
    state: originState,
    /** `github:acme/web build.yml run 123 attempt 1` */
    name: z.string(),
    /** The page of the run. */
    url: z.nullish(z.string()),
    /** Who signed the token. */
    issuer: z.string(),
    /** The trust policy that fitted, by the name that it had then. */
    policy: z.string(),
    /** By field, the value of the record and the proven one, which is empty where the token proves none. */
    differences: z.record(z.string(), z.looseObject({ said: z.string(), proven: z.string() })),
    /**
     * Of an override and of an approval: whether it was made by who wrote the commit. Absent where that is not
     * known.
     */
    by_author: z.optional(z.boolean()),
    /** What the token said. */
    claims: z.record(z.string(), z.unknown()),
  }),
);

/** The run that spooled a replayed record, as the spool says. Nothing proves it. Only the embedded service has it. */
export const spooledBy = z.nullish(z.string());
