import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import type { FileToSend } from "../api/files.ts";
import { parseJson } from "../api/json.ts";
import { isSpoolable, MAX_FILE_BYTES, MAX_JSON_PART_BYTES, type OperationShape } from "../api/operation.ts";
import { operations } from "../api/resources/operations.ts";
import { FILES_FOLDER, RECORDED_FILE, type SpooledFile, SUBMISSION_FILE, submissionFile } from "./layout.ts";
import { isSubmissionName, type Submission } from "./submission.ts";

/** A submission in a spool, not yet read. */
export interface SpooledSubmission {
  readonly name: string;
  readonly path: string;
}

/** A damaged submission may still have a readable subject. */
export type Opened =
  | { readonly submission: Submission; readonly damage?: undefined }
  | { readonly submission?: Submission; readonly damage: string };

/** JSON in JSON: each quote takes two characters, plus an envelope. */
const MAX_SUBMISSION_BYTES = 2 * MAX_JSON_PART_BYTES + 1024 * 1024;
export const MAX_SPOOLED_BYTES = Math.max(MAX_SUBMISSION_BYTES, MAX_FILE_BYTES);

/**
 * The submissions of a spool in order of creation. Also reads several spools in one folder, as downloaded from workflow
 * artifacts.
 */
export async function readSpool(folder: string): Promise<SpooledSubmission[]> {
  const found = await submissionsIn(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || isSubmissionName(entry.name) || entry.name.startsWith(".")) continue;
    found.push(...(await submissionsIn(join(folder, entry.name))));
  }
  return found.sort((a, b) => (a.name === b.name ? order(a.path, b.path) : order(a.name, b.name)));
}

async function submissionsIn(folder: string): Promise<SpooledSubmission[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && isSubmissionName(entry.name))
    .map(({ name }) => ({ name, path: join(folder, name) }));
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export async function isDone({ path }: SpooledSubmission): Promise<boolean> {
  return (await sizeOf(join(path, RECORDED_FILE))) !== undefined;
}

/** Also false for a missing spool. */
export async function hasWaiting(folder: string): Promise<boolean> {
  if (!(await lstat(folder).catch(() => undefined))) return false;
  for (const spooled of await readSpool(folder)) if (!(await isDone(spooled))) return true;
  return false;
}

/** Reads a submission and checks its files. */
export async function openSubmission({ path }: SpooledSubmission): Promise<Opened> {
  const size = await sizeOf(join(path, SUBMISSION_FILE));
  if (size === undefined) return { damage: `it has no ${SUBMISSION_FILE}` };
  if (size > MAX_SUBMISSION_BYTES) return { damage: `${SUBMISSION_FILE} is too large` };
  const json = parseJson(await readFile(join(path, SUBMISSION_FILE), "utf8"));
  const read = z.safeParse(submissionFile, json?.value);
  if (!read.success) {
    const field = read.error.issues[0]?.path.join(".");
    return { damage: `${SUBMISSION_FILE} has an unsupported format${field ? `: see '${field}'` : ""}` };
  }
  const { operation: name, files: fileEntries, ...content } = read.data;
  const known: Readonly<Record<string, OperationShape>> = operations;
  const operation = Object.hasOwn(known, name) ? known[name] : undefined;
  // A spool may be forged, and the key that replays it may have further permissions.
  if (!operation?.spoolable) return { damage: onlyEvidence(name) };
  const body = parseJson(content.body);
  if (!body) return { damage: "its body is not JSON" };
  if (!isSpoolable(operation, body.value)) return { damage: onlyEvidence(name) };
  const files: [string, FileToSend][] = [];
  let damage: string | undefined;
  for (const [index, file] of fileEntries.entries()) {
    const at = join(path, FILES_FOLDER, String(index));
    damage ??= await damageOf(at, file);
    if (damage === undefined) {
      const blob = await openAsBlob(at, { type: file.media_type });
      files.push([file.part, { name: file.name, path: at, content: blob }]);
    }
  }
  const submission: Submission = {
    id: content.id,
    operation,
    org: content.org,
    host: content.host,
    submittedAt: new Date(content.submitted_at),
    runUrl: content.run_url ?? undefined,
    madeBy: content.made_by,
    prepared: { params: content.params, json: content.body, files },
  };
  return damage === undefined ? { submission } : { submission, damage };
}

async function damageOf(path: string, { name, size, sha256 }: SpooledFile): Promise<string | undefined> {
  const found = await sizeOf(path);
  if (found === undefined) return `its file '${name}' is missing`;
  if (found !== size) return `its file '${name}' has ${found} bytes, not ${size}`;
  if (found > MAX_FILE_BYTES) return `its file '${name}' exceeds the limit of ${MAX_FILE_BYTES} bytes`;
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex") === sha256 ? undefined : `its file '${name}' was modified: its SHA-256 differs`;
}

/** Bytes of a regular file; undefined otherwise. Links are not followed: they could lead anywhere. */
async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() ? stats.size : undefined;
}

function onlyEvidence(operation: string): string {
  return `'${operation}' cannot be replayed: only evidence can`;
}
