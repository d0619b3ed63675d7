import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import * as z from "zod/mini";
import type { FileToSend } from "../../api/files.ts";
import { parsing } from "../../api/parsing.ts";
import {
  type EvaluationContext,
  type EvaluationRecord,
  evaluationRecord,
} from "../../api/resources/evaluation-record.ts";
import { ENTRY, withoutSystem } from "../same-bytes.ts";
import type { Opa } from "./opa.ts";
import { fileDigests, type PolicyFiles, policyDigest, sha256 } from "./policy-files.ts";
import type { Verdict } from "./verdict.ts";

/*
 * The one attachment of a decision. It contains the record of the evaluation and everything that it depends on except the
 * program, so stock opa repeats it:
 *
 *     tar xf evaluation.tgz
 *     opa eval --strict-builtin-errors --capabilities capabilities.json --data policy --data data.json \
 *       --input input.json data.policy
 */

const PACKAGE_NAME = "evaluation.tgz";
const RECORD = "evaluation.json";
const INPUT = "input.json";
export const DATA = "data.json";
export const CAPABILITIES = "capabilities.json";
/** Folder of the policy's files. */
export const POLICY = "policy";

const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** An evaluation that gave a verdict. */
export interface Evaluation {
  readonly by: EvaluationRecord["evaluated_by"];
  readonly opa: Pick<Opa, "version" | "capabilities">;
  readonly files: PolicyFiles;
  /** For a published policy. */
  readonly published?: { readonly identifier: string; readonly version: number };
  readonly params: Readonly<Record<string, unknown>>;
  readonly context: EvaluationContext;
  /** JSON text of the document that the policy read as `input`. */
  readonly input: string;
  /** Time of the evaluation in Unix seconds. */
  readonly at: number;
  readonly verdict: Verdict;
}

/** Contents of a package. */
export interface EvaluationPackage {
  readonly record: EvaluationRecord;
  /** JSON text. */
  readonly input: string;
  /** JSON text of `data` besides the policy. */
  readonly data: string;
  /** JSON text of what the policy may use. */
  readonly capabilities: string;
  readonly policy: PolicyFiles;
}

/** A package that cannot be read. */
export class PackageFault extends Error {}

/**
 * JSON text of what the policy reads as `data` besides its own rules. Policies of other clients read the time as
 * `data.kosli.evaluation_time`.
 *
 * @param at time of the evaluation in Unix seconds
 */
export function evaluationData(params: Readonly<Record<string, unknown>>, at: number): string {
  const time = { evaluation_time: Math.round(at * 1e9) };
  return JSON.stringify({ params, evidence: time, kosli: time });
}

/** The program as records name it. */
export function engineName({ version }: Pick<Opa, "version">): string {
  return `opa ${version}`;
}

/** Digest of an input document, as `sha256:` and 64 hex digits. */
export function inputDigest(input: string): string {
  return `sha256:${sha256(input)}`;
}

/**
 * The record of an evaluation for its decision, and the package that repeats it. The same evaluation gives the same
 * bytes.
 */
export async function describeEvaluation(
  evaluation: Evaluation,
): Promise<{ record: EvaluationRecord; file: FileToSend }> {
  const { opa, files, published, params, context, input, at, verdict } = evaluation;
  const record: EvaluationRecord = {
    engine: engineName(opa),
    evaluated_by: evaluation.by,
    policy: describePolicy(files, published),
    params: { ...params },
    context,
    evaluated_at: at,
    allow: verdict.allow,
    violations: [...verdict.violations],
    skipped: verdict.skipped,
    input_digest: inputDigest(input),
  };
  const { capabilities } = opa;
  const file = await pack({ record, input, data: evaluationData(params, at), capabilities, policy: files });
  return { record, file };
}

/** The policy as the record of an evaluation names it. */
export function describePolicy(
  files: PolicyFiles,
  published: Evaluation["published"],
): EvaluationRecord["policy"] {
  return {
    ...published,
    published: published !== undefined,
    digest: policyDigest(files),
    files: fileDigests(files),
  };
}

/** Depends on neither clock nor machine. */
async function pack({ record, input, data, capabilities, policy }: EvaluationPackage): Promise<FileToSend> {
  const texts: Readonly<Record<string, string>> = {
    [RECORD]: JSON.stringify(record),
    [INPUT]: input,
    [DATA]: data,
    [CAPABILITIES]: capabilities,
    ...Object.fromEntries(Object.entries(policy).map(([path, text]) => [`${POLICY}/${path}`, text])),
  };
  const sorted = Object.entries(texts).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const tar = await packTar(
    sorted.map(([name, text]) => {
      const body = Buffer.from(text);
      return { header: { ...ENTRY, name, size: body.length }, body };
    }),
  );
  const content = withoutSystem(await promisify(gzip)(tar, { level: 9 }));
  return { name: PACKAGE_NAME, content: new Blob([content], { type: "application/gzip" }) };
}

/** @throws {PackageFault} if it is not a package, or has other files */
export async function unpackEvaluation(bytes: Uint8Array): Promise<EvaluationPackage> {
  const texts = await textsOf(bytes);
  const policy: [string, string][] = [];
  for (const [path, text] of texts) {
    if (path.startsWith(`${POLICY}/`)) policy.push([path.slice(POLICY.length + 1), text]);
    else if (![RECORD, INPUT, DATA, CAPABILITIES].includes(path))
      throw new PackageFault(`it has the file '${path}'`);
  }
  const required = (path: string) => {
    const text = texts.get(path);
    if (text === undefined) throw new PackageFault(`it has no ${path}`);
    return text;
  };
  return {
    record: readRecord(required(RECORD)),
    input: required(INPUT),
    data: required(DATA),
    capabilities: required(CAPABILITIES),
    policy: Object.fromEntries(policy),
  };
}

function readRecord(text: string): EvaluationRecord {
  try {
    return z.parse(evaluationRecord, JSON.parse(text), parsing);
  } catch (cause) {
    throw new PackageFault(`its ${RECORD} is not the record of an evaluation`, { cause });
  }
}

async function textsOf(bytes: Uint8Array): Promise<Map<string, string>> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    const tar = await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
    const entries = (await unpackTar(tar, { strict: true })).filter(
      ({ header }) => header.type !== "directory",
    );
    const special = entries.find(({ header }) => header.type !== "file");
    if (special) throw new PackageFault(`'${special.header.name}' is not a file`);
    return new Map(
      entries.map(({ header, data }) => [header.name.replace(/^\.\//, ""), decoder.decode(data)]),
    );
  } catch (cause) {
    if (cause instanceof PackageFault) throw cause;
    throw new PackageFault("it is not a gzip tar of texts", { cause });
  }
}
