import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, fileAnswer, readsOrganization } from "../operation.ts";
import { shortText } from "../texts.ts";

/* Populations: all trails, deployments or decisions of a period, from which an auditor takes samples. */

/** Largest sample. */
const MAX_SAMPLE = 200;

const query = z.object({
  /** Name of a flow: its trails that began in the period. Give one of flow, environment and control. */
  flow: z.optional(reference),
  /** Name of an environment: artifacts that started in it. A logical environment is refused. */
  environment: z.optional(reference),
  /** Identifier of a control: decisions about it, and overrides of them. */
  control: z.optional(reference),
  /** Start in ISO 8601 (UTC without a zone) or Unix seconds, inclusive. */
  from: shortText,
  /** End in ISO 8601 (UTC without a zone) or Unix seconds, exclusive. */
  to: shortText,
  /** Size of the sample; by default, there is none. */
  n: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_SAMPLE))),
  /** Text that picks the sample: the same text picks the same members of the same population. */
  seed: z._default(shortText, "1"),
});

const member = z.looseObject({
  /** ID of the trail or attestation; for an artifact, that of the snapshot, a dot and its position. */
  id: z.string(),
  /** Name of the trail, artifact or attestation. */
  name: z.string(),
  /** Sha256 of the artifact; empty without one. */
  fingerprint: z.string(),
  /** Time in Unix seconds. */
  at: z.number(),
  /** Account that recorded it. */
  by: z.string(),
});

const readsPopulation = {
  ...readsOrganization,
  heavy: true,
  query,
  errors: { 404: "No such flow, environment or control" },
} as const;

/**
 * Lists all trails of a flow, artifacts that started in an environment, or decisions about a control in a period, in
 * the order of the evidence log, with their number. With `n`, also picks a sample: the members with the lowest sha256
 * of the seed, a zero byte and the ID.
 */
export const getPopulation = defineOperation({
  ...readsPopulation,
  name: "getPopulation",
  summary: "List a population and a sample of it",
  route: "GET /populations/{org}",
  responses: {
    200: z.looseObject({
      /** Number of members. */
      count: z.int(),
      /** All members, in the order of the log. */
      members: z.array(member),
      /** Members in the order of their rank. Empty without `n`. */
      sample: z.array(member),
    }),
  },
});

/**
 * Returns a gzip tar of a population: `list.csv`, the records of the sample, a page for printing, and the events of
 * the period with hashes that prove that the list is complete. `delivery-evidence verify` checks it offline.
 */
export const getPopulationPackage = defineOperation({
  ...readsPopulation,
  name: "getPopulationPackage",
  summary: "Download the audit package of a population",
  route: "GET /populations/{org}/package",
  responses: { 200: fileAnswer },
  errors: { ...readsPopulation.errors, 409: "No checkpoint has the period" },
});
