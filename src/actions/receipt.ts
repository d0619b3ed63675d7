import { createHash } from "node:crypto";
import { isEvidenceError } from "../api/client/errors.ts";
import type { Reply } from "../api/client/reply.ts";
import type { AnswerOf, OperationShape, RequestOf } from "../api/operation.ts";
import { EVENT_HEADER, LEAF_HEADER } from "../api/receipt-headers.ts";
import { getArtifact } from "../api/resources/artifacts.ts";
import { listAttestations } from "../api/resources/attestations.ts";
import { getLogProof } from "../api/resources/log.ts";
import { asObject } from "../api/untyped.ts";
import { type Schema, toWire } from "../api/wire-names.ts";
import type { ActionContext, Failure } from "../github/step/action.ts";
import { writeResultFile } from "./result-file.ts";

/** Why a receipt could not be made. The record was made before. */
class NoReceipt extends Error {}

/** The proof that the evidence log has an event. */
interface Proof {
  /** The sha256 of the event, which is its entry. */
  readonly leaf: string;
  readonly index: number;
  /** Canonical JSON. */
  readonly event: string;
  /** Text whose sha256 the event has. */
  readonly details?: string;
  /** C2SP's tlog-proof. */
  readonly proof: string;
  /** The signed note at the end of the proof. */
  readonly checkpoint: string;
}

export interface Written {
  /** Path of the file; empty without one. */
  readonly path: string;
  /** For the summary. */
  readonly line: string;
  readonly failure?: Failure;
}

interface Attestation {
  readonly isArtifact: boolean;
  readonly flow: string;
  readonly trail: string;
  readonly name: string;
}

/** Writes the receipt of a new attestation or artifact. */
export function writeAttestationReceipt(
  headers: Reply<unknown>["headers"],
  about: Attestation,
  context: ActionContext,
): Promise<Written> {
  return written(context, async () => {
    const { size, ...proof } = await proofOfWrite(headers, about, context);
    const receipt = { record: await recordOf(asObject(JSON.parse(proof.event)), about, context), ...proof };
    return { receipt, line: `index ${proof.index} (checkpoint of ${size} entries)` };
  });
}

/**
 * Writes the receipt of a check. The service records no event for it, so the receipt proves the attestations that the
 * response names, and not the response.
 */
export function writeGateReceipt(
  attestationIds: readonly string[],
  context: ActionContext,
): Promise<Written> {
  return written(context, async () => {
    if (attestationIds.length === 0) throw new NoReceipt("The response names no attestation to prove");
    const evidence = [];
    let entries = 0;
    for (const attestationId of attestationIds) {
      const { size, ...proof } = await proofOf({ attestationId }, context);
      entries = size;
      evidence.push({ record: await attestationOf({ attestationId }, context), ...proof });
    }
    const indexes = evidence.map(({ index }) => index).join(", ");
    return {
      receipt: { evidence },
      line: `index ${indexes} (checkpoint of ${entries} entries)`,
    };
  });
}

interface Made {
  readonly receipt: object;
  readonly line: string;
}

/** A receipt that was asked for and cannot be made fails the step: nothing is green that was not proven. */
async function written(context: ActionContext, make: () => Promise<Made>): Promise<Written> {
  try {
    const { receipt, line } = await make();
    const path = await writeResultFile("receipt", receipt, context, "receipt");
    return path === "" ? refused("The file could not be written. See the warning above.") : { path, line };
  } catch (error) {
    if (error instanceof NoReceipt) return refused(error.message);
    if (!isEvidenceError(error)) throw error;
    return refused([error.message, ...error.details, error.advice].filter(Boolean).join("\n"));
  }
}

function refused(reason: string): Written {
  const failure = {
    code: "step.no_receipt",
    title: "The receipt could not be made",
    text: `The step did its work, but nothing proves it. ${reason}`,
  } as const;
  return { path: "", line: "", failure };
}

async function proofOfWrite(headers: Reply<unknown>["headers"], about: Attestation, context: ActionContext) {
  const leaves = listIn(headers[LEAF_HEADER.toLowerCase()]);
  const events = listIn(headers[EVENT_HEADER.toLowerCase()]);
  // A flow and a trail that the write created have events before that of the record.
  for (const [index, eventId] of [...events.entries()].reverse()) {
    const proof = await proofOf({ eventId }, context);
    if (proof.leaf !== leaves[index])
      throw new NoReceipt(`The service proves another event than the one it recorded, ${leaves[index]}`);
    if (/^(attestation|artifact)\./.test(String(asObject(JSON.parse(proof.event))["type"]))) return proof;
  }
  if (about.isArtifact) throw new NoReceipt("The service had this report already, so it recorded no event");
  // The answer to a repeated request names no events. The service recognizes only a repeat of the newest record.
  const { attestation_id: attestationId } = await attestationOf(
    { flow: [about.flow], trail: about.trail, name: about.name, perPage: 1 },
    context,
  );
  return proofOf({ attestationId: String(attestationId) }, context);
}

function listIn(header: unknown): string[] {
  return typeof header === "string" ? header.split(", ") : [];
}

async function proofOf(
  query: { readonly eventId: string } | { readonly attestationId: string },
  context: ActionContext,
): Promise<Proof & { readonly size: number }> {
  const { index, size, event, details, proof } = await answered(getLogProof, query, context);
  const leaf = `sha256:${createHash("sha256").update(event).digest("hex")}`;
  const checkpoint = proof.slice(proof.indexOf("\n\n") + 2);
  return { leaf, index, event, ...(details !== undefined && { details }), proof, checkpoint, size };
}

/** The record of an event, as the interface shows it. */
async function recordOf(
  { type, subject_id: id, data }: Readonly<Record<string, unknown>>,
  { flow, trail }: Attestation,
  context: ActionContext,
): Promise<object> {
  if (type !== "artifact.reported") return attestationOf({ attestationId: String(id) }, context);
  const query = { flowName: flow, fingerprint: String(asObject(data)["fingerprint"]), trail };
  return asWire(getArtifact, await answered(getArtifact, query, context));
}

async function attestationOf(
  query: RequestOf<typeof listAttestations>,
  context: ActionContext,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = asWire(listAttestations, await answered(listAttestations, query, context));
  const [record] = [answer["data"]].flat();
  if (record === undefined) throw new NoReceipt("The service does not list the record");
  return asObject(record);
}

async function answered<O extends OperationShape>(
  operation: O,
  request: RequestOf<O>,
  context: ActionContext,
): Promise<AnswerOf<O>> {
  const reply = await context.call(operation, request);
  if (reply === undefined) throw new NoReceipt("A dry run asks for no proof");
  return reply.body;
}

function asWire(
  { responses }: { readonly responses: { readonly 200: Schema } },
  body: unknown,
): Readonly<Record<string, unknown>> {
  return asObject(toWire(responses[200], body));
}
