import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type GitHubContext, runComposite } from "../../scripts/composite/composite.ts";
import { uploadArtifact } from "../../scripts/composite/upload-artifact.ts";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { VERSION } from "../../src/api/version.ts";
import { startService } from "../../src/service/service.ts";
import { recordsOfTest } from "../records.ts";

const ORG = "acme";
export const SHA = "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa";

const PUSH: GitHubContext = {
  event_name: "push",
  sha: SHA,
  ref: "refs/heads/main",
  ref_name: "main",
  repository: "acme/web",
  repository_id: "4711",
  run_id: "77",
  run_attempt: "1",
  server_url: "https://github.com",
  api_url: "https://api.github.com",
  event: {
    ref: "refs/heads/main",
    repository: { id: 4711, full_name: "acme/web" },
    head_commit: { id: SHA, message: "m" },
  },
};

/** The root of this repository. */
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The embedded service with its data, and a job whose steps are the composite actions.
 *
 * @param actionsOf the folder of the repository with the actions
 */
export async function startJob(actionsOf: string = PROJECT) {
  // Spaces and letters outside ASCII are common on self-hosted runners.
  const folder = await mkdtemp(join(tmpdir(), "jöb "));
  const service = await startService({
    ...(await recordsOfTest()),
    dataFolder: join(folder, "data"),
    host: "127.0.0.1",
    port: 0,
    org: ORG,
    version: VERSION,
    log: () => {},
  });
  const apiKey = service.firstKey ?? "";
  const client = new EvidenceClient({ apiKey, org: ORG, baseUrl: service.address });
  const workspace = join(folder, "work space");
  await mkdir(workspace);
  return {
    workspace,
    apiKey,
    client,
    address: service.address,
    /** The run's artifacts, in folders of their names. */
    artifacts: join(folder, "artifacts"),
    async write(path: string, content: string) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), content);
    },
    /** Runs a composite action as a step of the job. */
    step(
      action: string,
      inputs: Readonly<Record<string, string>>,
      github: GitHubContext = {},
      tempDir = join(folder, "temp"),
      env: Readonly<Record<string, string>> = {},
    ) {
      return runComposite({
        actionFolder: join(actionsOf, "actions", action),
        with: inputs,
        env: {
          EVIDENCE_API_KEY: apiKey,
          EVIDENCE_ORG: ORG,
          EVIDENCE_BASE_URL: service.address,
          EVIDENCE_FLOW: "web",
          ...env,
        },
        workspace,
        tempDir,
        github: { ...PUSH, ...github },
        uses: { "actions/upload-artifact": uploadArtifact(join(folder, "artifacts")) },
        masks: [apiKey],
      });
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
