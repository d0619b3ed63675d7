import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../src/api/version.ts";
import { startService } from "../../src/service/service.ts";
import { runComposite, type StepRun } from "../composite/composite.ts";
import { uploadArtifact } from "../composite/upload-artifact.ts";
import { CANDIDATE, startGitHub } from "./github.ts";

export type Step = (action: string, inputs: Readonly<Record<string, string>>) => Promise<StepRun>;

/** A job of the candidate's commit that runs actions as steps, with an empty embedded service. */
export async function startJob(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), "delivery-evidence-pictures-"));
  const workspace = join(folder, "workspace");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const options = { dataFolder: join(folder, "data"), host: "127.0.0.1", port: 0, org: "acme" };
  const service = await startService({ ...options, version: VERSION, log: () => {} });
  const github = await startGitHub();
  const apiKey = service.firstKey ?? "";
  const step: Step = (action, inputs) =>
    runComposite({
      actionFolder: fileURLToPath(new URL(`../../actions/${action}`, import.meta.url)),
      with: inputs,
      workspace,
      tempDir: join(folder, "temp"),
      uses: { "actions/upload-artifact": uploadArtifact(join(folder, "artifacts")) },
      env: {
        ...{ EVIDENCE_API_KEY: apiKey, EVIDENCE_BASE_URL: service.address },
        ...{ EVIDENCE_ORG: "acme", EVIDENCE_FLOW: "web" },
      },
      masks: [apiKey],
      github: {
        ...{ event_name: "push", sha: CANDIDATE, ref: "refs/heads/main", ref_name: "main", actor: "ada" },
        ...{ repository: "acme/web", repository_id: "4711", run_id: "77", run_attempt: "1" },
        ...{ server_url: "https://github.com", api_url: github.url, token: "token" },
        event: {
          repository: { id: 4711, full_name: "acme/web" },
          head_commit: { id: CANDIDATE, message: "Let customers pay once" },
        },
      },
    });
  return {
    address: service.address,
    step,
    async [Symbol.asyncDispose]() {
      github[Symbol.dispose]();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
