import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeDurably } from "./durable.ts";
import { FILES_FOLDER, SUBMISSION_FILE } from "./layout.ts";
import { MAX_KEPT_BYTES } from "./read.ts";
import { isSubmissionName } from "./submission.ts";
import { withZip, ZipError } from "./zip.ts";

/**
 * Unpacks a spool that was kept as a workflow artifact. Only what belongs to a submission is taken, by name, so that
 * nothing lands outside of the folder; and no marks of what is on record, because only the service can tell that.
 *
 * @param folder is made
 * @throws {ZipError} when the archive cannot be read, or holds a file larger than any submission has
 */
export async function unpackSpool(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await withZip(archive, async (files) => {
    for (const file of files.filter(({ name }) => belongs(name))) {
      if (file.size > MAX_KEPT_BYTES)
        throw new ZipError(`'${file.name}' is larger than anything that is kept`);
      const path = join(folder, ...file.name.split("/"));
      await mkdir(dirname(path), { recursive: true });
      await writeDurably(path, [await file.read()]);
    }
  });
}

function belongs(name: string): boolean {
  const [submission = "", file, number = "", ...deeper] = name.split("/");
  if (!isSubmissionName(submission) || deeper.length > 0) return false;
  return file === FILES_FOLDER ? /^\d{1,3}$/.test(number) : file === SUBMISSION_FILE && number === "";
}
