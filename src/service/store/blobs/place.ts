import * as z from "zod/mini";
import { Busy } from "../../kernel/errors.ts";
import type { FileLease } from "./file-leases.ts";

export interface LocalFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Folder or bucket of attachments. Each file is stored under its sha256, so it never changes. */
export interface Place {
  readonly name: string;
  addressOf(sha256: string): string;
  /** The local file may be gone when this resolves. @param rewrite updates the write time of an equal file */
  put(
    file: LocalFile,
    options?: { readonly rewrite?: boolean; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Time of the last write, in Unix seconds. Undefined if there is no such file. */
  writtenAt(sha256: string): Promise<number | undefined>;
  /** @throws NotStored when there is no such file, Altered when it cannot be the stored one */
  read(sha256: string): AsyncIterable<Uint8Array>;
  /** Condition of a file as far as the place knows it without reading the file. */
  glance?(file: Pick<LocalFile, "sha256" | "size">): Promise<"whole" | "changed" | "missing" | undefined>;
  remove(sha256: string): Promise<void>;
  list(): AsyncIterable<readonly string[]>;
  checkWritable(): Promise<void>;
  /** Only for a folder, whose share may have been unmounted. @throws Error when its owner file is gone */
  checkPresent?(): Promise<void>;
  readonly owner: OwnerMark;
  readonly sweeps: SweepMark;
  readonly checkpoints: CheckpointMark;
  /** Only if a single process uses the place. Decides which files may be removed at once. */
  lease?(sha256s: readonly string[]): FileLease;
  close(): Promise<void>;
}

/** The refusal of a request whose files cannot be stored or read for now. @param seconds until it may be repeated */
export function unavailablePlace(seconds = 5): Busy {
  return new Busy("attachment.unavailable", "The attachments are unavailable now: try again", seconds);
}

export interface Owner {
  /** The id of the database whose attachments are stored there. */
  readonly database: string;
  /** The id of the place. A copy of the place has it too; an empty place configured by mistake does not. */
  readonly place: string;
}

export interface OwnerMark {
  read(): Promise<Owner | undefined>;
  /** Writes the owner unless there is one. @returns the current owner */
  take(owner: Owner): Promise<Owner>;
  replace(owner: Owner): Promise<void>;
}

/** A JSON file about the place as a whole. */
export interface MarkFile<Content> {
  readonly name: string;
  parse(text: string): Content;
  text(content: Content): string;
}

function markFile<Content>(name: string, schema: z.ZodMiniType<Content>): MarkFile<Content> {
  return {
    name,
    parse(text) {
      try {
        return schema.parse(JSON.parse(text));
      } catch (cause) {
        throw new Error(`The file ${name} at the place for attachments is damaged`, { cause });
      }
    },
    text: (content) => `${JSON.stringify(schema.parse(content))}\n`,
  };
}

export const OWNER = markFile<Owner>("owner.json", z.object({ database: z.string(), place: z.string() }));

export interface SweepState {
  /** Random id, new for each sweep. The database that swept last has it as well. */
  readonly generation: string;
  /** Whether two databases have swept the place. */
  readonly contested?: boolean | undefined;
}

export interface SweepMark {
  read(): Promise<SweepState | undefined>;
  /** Writes a state if the current one is still `from`. @returns whether it did */
  move(from: SweepState | undefined, to: SweepState): Promise<boolean>;
  replace(state: SweepState): Promise<void>;
}

export const SWEEP = markFile<SweepState>(
  "sweep.json",
  z.object({ generation: z.string(), contested: z.optional(z.boolean()) }),
);

/** The latest signed checkpoint of each organization's log. It is kept here because a backup of the records lacks it. */
export interface CheckpointMark {
  read(orgId: string): Promise<string | undefined>;
  replace(orgId: string, checkpoint: string): Promise<void>;
}

/** The name of a file that no sha256 has. */
export function checkpointName(orgId: string): string {
  return `checkpoint-${orgId}`;
}

export class NotStored extends Error {
  override readonly name = "NotStored";
}

/** A stored file was replaced: by a link, a pipe, or more bytes than any file has. */
export class Altered extends Error {
  override readonly name = "Altered";
}

const SHA256 = /^[0-9a-f]{64}$/;

export function isSha256(name: string): boolean {
  return SHA256.test(name);
}

export function requireSha256(name: string): void {
  if (!isSha256(name)) throw new NotStored(`${JSON.stringify(name)} is not a sha256`);
}
