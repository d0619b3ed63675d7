import * as z from "zod/mini";
import type { FileLease } from "./folder/file-leases.ts";

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
  /** Brings a file, which is safe there when this resolves. The local one may be gone then. */
  put(file: LocalFile): Promise<void>;
  /** What a file holds, as it comes. @throws NotKept when there is none */
  read(sha256: string): AsyncIterable<Uint8Array>;
  /** What the place can tell of a file without all of it being read, if it can. */
  glance?(sha256: string): Promise<"whole" | "missing" | undefined>;
  /** Removes a file, if it is there. */
  remove(sha256: string): Promise<void>;
  /** The names of the files, a part at a time. */
  list(): AsyncIterable<readonly string[]>;
  /** @throws Error for the reason for which no file can be brought now */
  checkWritable(): Promise<void>;
  /** Whose attachments are kept here. */
  readonly owner: OwnerMark;
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

/** There is no such file at the place. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a name is one that a file is kept under. */
export function isKeptName(name: string): boolean {
  return SHA256.test(name);
}
