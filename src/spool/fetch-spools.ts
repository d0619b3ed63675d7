import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { downloadArtifact } from "../github/api/artifact-download.ts";
import type { GitHubAddress } from "../github/api/github-address.ts";
import { listArtifacts, type WorkflowArtifact } from "../github/api/workflow-artifacts.ts";
import { SPOOL_ARTIFACT_PREFIX } from "./submission.ts";
import { unpackSpool, ZipError } from "./unpack.ts";

const MS_PER_DAY = 86_400_000;

export interface SpoolsRequest {
  readonly address: GitHubAddress;
  /** Parent of a folder for each artifact. Existing folders are not downloaded again. */
  readonly folder: string;
  /** Only runs for these branches; all runs if empty. */
  readonly branches: readonly string[];
  readonly maxAgeDays: number;
  /** Input or option to name in GitHub's errors. */
  readonly input: string;
  readonly note: (line: string) => void;
}

/**
 * Downloads the spools of earlier runs, except those of forks. An unreadable artifact does not block the others.
 *
 * @returns a sentence for each unreadable artifact
 * @throws {InputError} if GitHub does not list the artifacts
 */
export async function fetchSpools(request: SpoolsRequest): Promise<string[]> {
  const { address, folder, branches, maxAgeDays, input, note } = request;
  const since = new Date(Date.now() - maxAgeDays * MS_PER_DAY);
  const outcome = await listArtifacts(address, { prefix: SPOOL_ARTIFACT_PREFIX, since, branches, note });
  if ("fault" in outcome) {
    const problem = outcome.fault.explain(
      address.apiUrl,
      "returned no list of artifacts",
      "Nothing was replayed.",
    );
    throw new InputError([{ input, problem }]);
  }
  await mkdir(folder, { recursive: true });
  const faults: string[] = [];
  for (const artifact of outcome.answer) {
    const fault = await fetchOne(address, artifact, folder);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

async function fetchOne(address: GitHubAddress, artifact: WorkflowArtifact, folder: string) {
  const unpacked = join(folder, String(artifact.id));
  if (await stat(unpacked).catch(() => undefined)) return undefined;
  // Readers skip names that begin with a dot.
  const draft = join(folder, `.unpacking-${artifact.id}`);
  const archive = `${draft}.zip`;
  const incomplete = `${unpacked}-incomplete`;
  for (const old of [draft, incomplete]) await rm(old, { recursive: true, force: true });
  try {
    const downloaded = await downloadArtifact(address, artifact, archive);
    if ("fault" in downloaded) {
      return downloaded.fault.explain(address.apiUrl, `did not return artifact '${artifact.name}'`);
    }
    await unpackSpool(archive, draft);
    await rename(draft, unpacked);
    return undefined;
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    // The submissions before the damage are complete.
    await rename(draft, incomplete);
    return `The artifact '${artifact.name}' cannot be read: ${error.message}.`;
  } finally {
    await rm(archive, { force: true });
  }
}
