import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import type { FileToSend } from "../../api/files.ts";
import { ENTRY, withoutSystem } from "../same-bytes.ts";
import { type PolicyFiles, sha256 } from "./policy-files.ts";

/*
 * The one attachment of a decision. It contains everything that an evaluation depends on except the program, so stock
 * opa repeats it:
 *
 *     tar xf evaluation.tgz
 *     opa eval --strict-builtin-errors --capabilities capabilities.json --data policy --data data.json \
 *       --input input.json data.policy
 */

export const PACKAGE_NAME = "evaluation.tgz";
const INPUT = "input.json";
export const DATA = "data.json";
export const CAPABILITIES = "capabilities.json";
/** Folder of the policy's files. */
export const POLICY = "policy";

const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** Files of a package. */
export interface EvaluationFiles {
  /** JSON text of the document that the policy reads as `input`. */
  readonly input: string;
  /** JSON text of `data`, as `evaluationData` returns it. */
  readonly data: string;
  /** JSON text of what the policy may use. */
  readonly capabilities: string;
  readonly policy: PolicyFiles;
}

/** A package that cannot be read. */
export class PackageFault extends Error {}

/**
 * JSON text of what the policy reads as `data` besides its own rules.
 *
 * @param at time of the evaluation in Unix seconds
 */
export function evaluationData(params: Readonly<Record<string, unknown>>, at: number): string {
  return JSON.stringify({ params, evidence: { evaluation_time: Math.round(at * 1e9) } });
}

/** Digest of an input document, as `sha256:` and 64 hex digits. */
export function inputDigest(input: string): string {
  return `sha256:${sha256(input)}`;
}

/** Packs an evaluation. The same evaluation gives the same bytes. */
export async function packEvaluation(files: EvaluationFiles): Promise<FileToSend> {
  const { input, data, capabilities, policy } = files;
  const listed = Object.entries(policy).map(([path, text]) => [`${POLICY}/${path}`, text] as const);
  const texts = [[INPUT, input], [DATA, data], [CAPABILITIES, capabilities], ...listed] as const;
  const sorted = texts.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
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
export async function unpackEvaluation(bytes: Uint8Array): Promise<EvaluationFiles> {
  const texts = await textsOf(bytes);
  const policy: [string, string][] = [];
  for (const [path, text] of texts) {
    if (path.startsWith(`${POLICY}/`)) policy.push([path.slice(POLICY.length + 1), text]);
    else if (![INPUT, DATA, CAPABILITIES].includes(path)) throw new PackageFault(`it has the file '${path}'`);
  }
  const required = (path: string) => {
    const text = texts.get(path);
    if (text === undefined) throw new PackageFault(`it has no ${path}`);
    return text;
  };
  return {
    input: required(INPUT),
    data: required(DATA),
    capabilities: required(CAPABILITIES),
    policy: Object.fromEntries(policy),
  };
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
