import * as z from "zod/mini";
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
  /** The local file may be gone when this resolves. @param rewrite counts an equal file as written now */
  put(
    file: LocalFile,
    options?: { readonly rewrite?: boolean; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** When a file was last written, in Unix seconds. Undefined when there is none. */
  writtenAt(sha256: string): Promise<number | undefined>;
  /** @throws NotKept when there is none, Altered when it cannot be what was stored */
  read(sha256: string): AsyncIterable<Uint8Array>;
  /** Condition of a file as far as the place knows it without reading the file. */
  glance?(file: Pick<LocalFile, "sha256" | "size">): Promise<"whole" | "changed" | "missing" | undefined>;
  remove(sha256: string): Promise<void>;
  list(): AsyncIterable<readonly string[]>;
  checkWritable(): Promise<void>;
  readonly owner: OwnerMark;
  readonly sweeps: SweepMark;
  /** Where one process alone uses the place: what tells which files may be removed again at once. */
  lease?(sha256s: readonly string[]): FileLease;
  close(): Promise<void>;
}

export interface Owner {
  /** The id of the database whose attachments are kept there. */
  readonly database: string;
  /** The place's own: a copy of the place has it too, an empty place that was taken for it has not. */
  readonly place: string;
}

export interface OwnerMark {
  read(): Promise<Owner | undefined>;
  /** Writes it unless there is one. @returns the one that is there now */
  take(owner: Owner): Promise<Owner>;
  replace(owner: Owner): Promise<void>;
}

/** A file at the place that says something about the whole of it, as JSON. */
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
  /** Random id, new with each sweep. The database whose sweep was the last one has it as well. */
  readonly generation: string;
  /** Whether two databases have swept the place. */
  readonly contested?: boolean | undefined;
}

export interface SweepMark {
  read(): Promise<SweepState | undefined>;
  /** Writes a state if the one that is there is still `from`. @returns whether it was */
  move(from: SweepState | undefined, to: SweepState): Promise<boolean>;
  replace(state: SweepState): Promise<void>;
}

export const SWEEP = markFile<SweepState>(
  "sweep.json",
  z.object({ generation: z.string(), contested: z.optional(z.boolean()) }),
);

export class NotKept extends Error {
  override readonly name = "NotKept";
}

/** Something else is in the place of a file: a link, a pipe, or more bytes than any file has. */
export class Altered extends Error {
  override readonly name = "Altered";
}

const SHA256 = /^[0-9a-f]{64}$/;

export function isKeptName(name: string): boolean {
  return SHA256.test(name);
}

export function requireKeptName(name: string): void {
  if (!isKeptName(name)) throw new NotKept(`${JSON.stringify(name)} is not a sha256`);
}
