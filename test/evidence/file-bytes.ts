import { expect } from "vitest";
import type { FileToSend } from "../../src/api/files.ts";

/** The content of a list's only file. */
export async function bytesOf(files: readonly FileToSend[]): Promise<Buffer> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) expect.fail(`expected one file, got ${files.length}`);
  return Buffer.from(await file.content.arrayBuffer());
}
