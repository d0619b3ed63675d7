import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../api/client/errors.ts";
import type { FileToSend } from "../api/files.ts";
import { moveDurably, syncFolder, writeDurably } from "./durable.ts";
import { FILES_FOLDER, FORMAT, type SpooledFile, SUBMISSION_FILE, type SubmissionFile } from "./layout.ts";
import { type Submission, submissionName } from "./submission.ts";

/**
 * Writes a submission under a temporary name, which readers skip, and renames it once all of it is on the disk.
 *
 * @returns the name of its folder
 * @throws {InputError} if an attached file changed or vanished meanwhile
 */
export async function spool(folder: string, submission: Submission): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(folder, ".writing-"));
  try {
    const files = await keepFiles(join(draft, FILES_FOLDER), submission.prepared.files);
    const text = JSON.stringify(contentOf(submission, files), null, 2);
    await writeDurably(join(draft, SUBMISSION_FILE), [Buffer.from(text)]);
    await syncFolder(draft);
    const name = submissionName(await readdir(folder), submission.submittedAt, submission.id.slice(0, 8));
    await moveDurably(draft, join(folder, name));
    return name;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

function contentOf({ prepared, ...submission }: Submission, files: readonly SpooledFile[]): SubmissionFile {
  const { id, operation, org, host, submittedAt, runUrl, madeBy } = submission;
  const params = Object.entries(prepared.params).map(([name, value]) => [name, String(value)] as const);
  return {
    format: FORMAT,
    id,
    operation: operation.name,
    org,
    host,
    submitted_at: submittedAt.toISOString(),
    run_url: runUrl ?? null,
    ...(madeBy && { made_by: madeBy }),
    params: Object.fromEntries(params),
    body: prepared.json ?? "",
    files: [...files],
  };
}

async function keepFiles(folder: string, files: Submission["prepared"]["files"]): Promise<SpooledFile[]> {
  if (files.length === 0) return [];
  await mkdir(folder);
  const spooledFiles: SpooledFile[] = [];
  for (const [index, [part, file]] of files.entries()) {
    const written = await writeDurably(join(folder, String(index)), bytesOf(file));
    spooledFiles.push({ part, name: file.name, media_type: file.content.type, ...written });
  }
  await syncFolder(folder);
  return spooledFiles;
}

async function* bytesOf(file: FileToSend): AsyncGenerator<Uint8Array> {
  try {
    yield* file.content.stream();
  } catch (cause) {
    throw new InputError(
      [{ input: file.path ?? file.name, problem: "changed or disappeared while it was being spooled" }],
      { advice: "Attach files only after the step that writes them has ended.", cause },
    );
  }
}
