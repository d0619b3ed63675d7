import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, fileAnswer, readsOrganization } from "../operation.ts";

/* The evidence log: a transparency log of an organization's events, in the formats of C2SP. */

// A lagging copy of the database would look like a log that lost its last entries.
const readsLog = { ...readsOrganization, access: "assert", mayBePublic: true } as const;

/** Number of entries in a log. */
const size = z.int().check(z.gte(0));

/**
 * Returns the signed checkpoint of the evidence log: the number of entries and the root of their Merkle tree, as a
 * signed note (C2SP tlog-checkpoint). It has all events of a few seconds ago.
 */
export const getLogCheckpoint = defineOperation({
  ...readsLog,
  name: "getLogCheckpoint",
  summary: "Get the checkpoint of the evidence log",
  route: "GET /log/{org}/checkpoint",
  responses: { 200: fileAnswer },
  errors: { 404: "No checkpoint yet", 409: "No checkpoint can be signed" },
  conflictIsFinal: true,
});

/**
 * Returns a tile of hashes, or with `entries` the entries themselves (C2SP tlog-tiles). An entry is the sha256 of an
 * event, in 32 bytes.
 */
export const getLogTile = defineOperation({
  ...readsLog,
  name: "getLogTile",
  summary: "Get a tile of the evidence log",
  route: "GET /log/{org}/tile/{path}",
  slashesInLastParam: true,
  params: z.object({
    /** Level and number, such as `0/x001/234` or `entries/000.p/12`. */
    path: reference,
  }),
  responses: { 200: fileAnswer },
  errors: { 404: "No such tile" },
});

const proof = z.looseObject({
  /** Position of the event in the log, counted from 0. */
  index: z.number(),
  /** Number of entries in the checkpoint. */
  size: z.number(),
  /** The event as canonical JSON. The sha256 of this text is the entry of the log. */
  event: z.string(),
  /** The details of an attestation or artifact. The event has the sha256 of this text. */
  details: z.optional(z.string()),
  /** The proof with its checkpoint, as a file (C2SP tlog-proof). */
  proof: z.string(),
});

/**
 * Proves that an event is in the evidence log. Give one of the parameters. The checkpoint in the proof has all events
 * that were recorded before the request.
 */
export const getLogProof = defineOperation({
  ...readsLog,
  name: "getLogProof",
  summary: "Prove that an event is in the evidence log",
  route: "GET /log/{org}/proof",
  query: z.object({
    /** ID of an attestation. */
    attestation_id: z.optional(reference),
    /** ID of an event. */
    event_id: z.optional(reference),
  }),
  responses: { 200: proof },
  errors: { 404: "No such attestation or event", 409: "No checkpoint can be signed" },
  conflictIsFinal: true,
});

const consistency = z.looseObject({
  from: z.number(),
  to: z.number(),
  /** Hashes in base64, as in RFC 6962, section 2.1.2. */
  proof: z.array(z.string()),
});

/** Proves that the log with `to` entries begins with its first `from` entries. */
export const getLogConsistency = defineOperation({
  ...readsLog,
  name: "getLogConsistency",
  summary: "Prove that the evidence log only grew",
  route: "GET /log/{org}/consistency",
  query: z.object({
    /** Number of entries of the former checkpoint. */
    from: size,
    /** Number of entries of the latter checkpoint; by default the current one. */
    to: z.optional(size),
  }),
  responses: { 200: consistency },
  errors: { 404: "No checkpoint yet" },
});

/** Returns the keys that sign checkpoints, as a file that verifiers read (C2SP tlog-policy). */
export const getLogPolicy = defineOperation({
  ...readsLog,
  name: "getLogPolicy",
  summary: "Get the keys of the evidence log",
  route: "GET /log/{org}/policy",
  responses: { 200: fileAnswer },
  errors: { 404: "No checkpoint yet", 409: "No checkpoint can be signed" },
  conflictIsFinal: true,
});
