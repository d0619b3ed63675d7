import { join } from "node:path";
import { InputError } from "../../api/errors.ts";
import type { ActionContext } from "../../github/action.ts";
import { downloadArtifact } from "../../github/artifact-download.ts";
import { gitHubAddress } from "../../github/github-address.ts";
import { listArtifacts, type WorkflowArtifact } from "../../github/workflow-artifacts.ts";
import { SPOOL_ARTIFACT_PREFIX } from "../spool-folder.ts";

const MS_PER_DAY = 86_400_000;

export interface SpoolsRequest {
  /** Gets a folder for each artifact. */
  readonly folder: string;
  /** Of these branches; of all when there are none. */
  readonly branches: readonly string[];
  readonly maxAgeDays: number;
  readonly githubToken: string | undefined;
}

/**
 * Downloads what earlier runs spooled. An artifact that cannot be read does not keep the others back.
 *
 * @returns what went wrong, a sentence for each artifact
 * @throws {InputError} when GitHub does not tell which there are
 */
export async function fetchSpools(
  { folder, branches, maxAgeDays, githubToken }: SpoolsRequest,
  { runner, signal, info }: ActionContext,
): Promise<string[]> {
  const address = gitHubAddress(runner, githubToken, signal);
  if (address === undefined) {
    const problem = "is required, in a run of a workflow: the artifacts of its repository are replayed";
    throw new InputError([{ input: "github-token", problem, missing: true }]);
  }
  const since = new Date(Date.now() - maxAgeDays * MS_PER_DAY);
  const outcome = await listArtifacts(address, { prefix: SPOOL_ARTIFACT_PREFIX, since });
  if ("fault" in outcome) {
    const problem = outcome.fault.explain(address.apiUrl, "no list of artifacts", "Nothing was replayed.");
    throw new InputError([{ input: "github-token", problem }]);
  }
  const { unpackSpool, ZipError } = await import("../../spool/unpack.ts");
  const fetchOne = async (artifact: WorkflowArtifact): Promise<string | undefined> => {
    const archive = join(folder, `${artifact.id}.zip`);
    const downloaded = await downloadArtifact(address, artifact, archive);
    if ("fault" in downloaded) {
      return downloaded.fault.explain(address.apiUrl, `no artifact '${artifact.name}'`);
    }
    try {
      await unpackSpool(archive, join(folder, String(artifact.id)));
      return undefined;
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      return `The artifact '${artifact.name}' cannot be read: ${error.message}.`;
    }
  };
  const faults: string[] = [];
  for (const artifact of outcome.answer) {
    if (branches.length > 0 && !branches.includes(artifact.branch)) {
      info(`Artifact '${artifact.name}' is left alone: it is of the branch '${artifact.branch}'.`);
      continue;
    }
    const fault = await fetchOne(artifact);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}
