import * as z from "zod/mini";
import type { FileLease } from "./file-leases.ts";

/** The bytes of a file on the local disk, and what they are. */
export interface LocalFile {
  readonly path: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/**
 * Where attachments are kept: a folder, or a bucket of an object store. Each file is there under the sha256 of what it
 * holds, so that it never changes, and to bring it twice is to bring it once.
 */
export interface Place {
  /** As an operator knows it: a path, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Where one file is, as an operator finds it. */
  addressOf(sha256: string): string;
  /**
   * Brings a file, which is safe there when this resolves. The local one may be gone then.
   *
   * @param rewrite whether an equal file that is there is written again, so that it counts as written now
   * @param signal ends the wait for the place
   */
  put(
    file: LocalFile,
    options?: { readonly rewrite?: boolean; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** When a file was last written, in Unix seconds. Undefined when there is none. */
  writtenAt(sha256: string): Promise<number | undefined>;
  /**
   * What a file holds, as it comes.
   *
   * @throws NotKept when there is none
   * @throws Altered when it cannot be what was brought
   */
  read(sha256: string): AsyncIterable<Uint8Array>;
  /** Condition of a file as far as the place knows it without reading the file. */
  glance?(file: Pick<LocalFile, "sha256" | "size">): Promise<"whole" | "changed" | "missing" | undefined>;
  /** Removes a file, if it is there. */
  remove(sha256: string): Promise<void>;
  /** The names of the files, a part at a time. */
  list(): AsyncIterable<readonly string[]>;
  /** @throws Error for the reason for which no file can be brought now */
  checkWritable(): Promise<void>;
  /** Whose attachments are kept here. */
  readonly owner: OwnerMark;
  /** How far the sweeps of the place have come. */
  readonly sweeps: SweepMark;
  /** Where one process alone uses the place: what tells which files may be removed again at once. */
  lease?(sha256s: readonly string[]): FileLease;
  close(): Promise<void>;
}

/** What a place says of itself. */
export interface Owner {
  /** The id of the database whose attachments are kept there. */
  readonly database: string;
  /** The place's own: a copy of the place has it too, an empty place that was taken for it has not. */
  readonly place: string;
}

/** The file, or object, in which a place says whose attachments it holds. */
export interface OwnerMark {
  read(): Promise<Owner | undefined>;
  /** Writes it unless there is one. @returns the one that is there now */
  take(owner: Owner): Promise<Owner>;
  /** Writes it in place of another. */
  replace(owner: Owner): Promise<void>;
}

export const OWNER_FILE = "owner.json";

const ownerText = z.object({ database: z.string(), place: z.string() });

/** @throws Error when it is no such text */
export function parseOwner(text: string): Owner {
  try {
    return ownerText.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The file ${OWNER_FILE} at the place for attachments is damaged`, { cause });
  }
}

export function ownerContent({ database, place }: Owner): string {
  return `${JSON.stringify({ database, place })}\n`;
}

/** State of the sweeps of a place. */
export interface SweepState {
  /** Random id, new with each sweep. The database whose sweep was the last one has it as well. */
  readonly generation: string;
  /** Whether two databases have swept the place. */
  readonly contested?: boolean | undefined;
}

/** The file, or object, that holds the state of the sweeps. */
export interface SweepMark {
  read(): Promise<SweepState | undefined>;
  /** Writes a state if the one that is there is still `from`. @returns whether it was */
  move(from: SweepState | undefined, to: SweepState): Promise<boolean>;
  /** Writes a state in place of any other. */
  replace(state: SweepState): Promise<void>;
}

export const SWEEP_FILE = "sweep.json";

const sweepText = z.object({ generation: z.string(), contested: z.optional(z.boolean()) });

/** @throws Error when it is no such text */
export function parseSweepState(text: string): SweepState {
  try {
    return sweepText.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The file ${SWEEP_FILE} at the place for attachments is damaged`, { cause });
  }
}

export function sweepContent({ generation, contested }: SweepState): string {
  return `${JSON.stringify({ generation, ...(contested && { contested }) })}\n`;
}

/** There is no such file at the place. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

/** Something else is in the place of a file: a link, a pipe, or more bytes than any file has. */
export class Altered extends Error {
  override readonly name = "Altered";
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a name is one that a file is kept under. */
export function isKeptName(name: string): boolean {
  return SHA256.test(name);
}

/** @throws NotKept when no file is kept under a name, such as one that leads elsewhere */
export function requireKeptName(name: string): void {
  if (!isKeptName(name)) throw new NotKept(`${JSON.stringify(name)} is not a sha256`);
}
