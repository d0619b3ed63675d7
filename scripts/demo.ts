/*
 * The main job of the toolkit on the embedded service: what a workflow that builds, attests, gates and reports does,
 * by the real composite actions. With --keep the service stays up until it is interrupted. It keeps its records in the
 * PostgreSQL database that EVIDENCE_DATABASE_URL names, if it names one.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../src/api/version.ts";
import { startService } from "../src/service/service.ts";
import { runComposite } from "./composite/composite.ts";
import { uploadArtifact } from "./composite/upload-artifact.ts";
import { makeSampleProject } from "./demo/sample-project.ts";
import { demoSteps } from "./demo/steps.ts";
import { summaryText } from "./demo/summary-text.ts";

const ORG = "acme";
const FLOW = "greeter";

const keep = process.argv.includes("--keep");
const print = (text: string) => process.stdout.write(`${text}\n`);

const folder = await mkdtemp(join(tmpdir(), "delivery-evidence-demo-"));
const url = process.env["EVIDENCE_DATABASE_URL"];
const service = await startService({
  dataFolder: join(folder, "data"),
  ...(url === undefined || url === "" ? {} : { database: { url } }),
  host: "127.0.0.1",
  port: 0,
  org: ORG,
  version: VERSION,
  log: () => {},
});
try {
  const apiKey = service.firstKey;
  if (apiKey === undefined) throw new Error("A fresh data folder must give a key");
  print(`The embedded service runs at ${service.address}, its data in a fresh folder.\n`);
  await runWorkflow(apiKey);
  if (keep) {
    print(`The service stays up at ${service.address} for organization '${ORG}'. Its key: ${apiKey}`);
    print("Press Ctrl-C to stop it and remove its data.");
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  }
} finally {
  await service.close();
  await rm(folder, { recursive: true, force: true });
}

async function runWorkflow(apiKey: string): Promise<void> {
  const project = await makeSampleProject(join(folder, "workspace"));
  const steps = demoSteps(project);
  // GitHub hides the secrets of a workflow from its start.
  let masks: readonly string[] = [apiKey];
  for (const [index, step] of steps.entries()) {
    print(`━━━ Step ${index + 1} of ${steps.length}: ${step.title}\n`);
    const run = await runComposite({
      actionFolder: fileURLToPath(new URL(`../actions/${step.action}`, import.meta.url)),
      with: step.with,
      env: {
        EVIDENCE_API_KEY: apiKey,
        EVIDENCE_ORG: ORG,
        EVIDENCE_BASE_URL: service.address,
        EVIDENCE_FLOW: FLOW,
      },
      workspace: project.workspace,
      tempDir: join(folder, "runner-temp"),
      github: project.github,
      uses: { "actions/upload-artifact": uploadArtifact(join(folder, "artifacts")) },
      masks,
    });
    masks = run.masks;
    print(run.page);
    print(summaryText(run.summary));
    if (run.outcome !== step.outcome) {
      throw new Error(`This step was to end in ${step.outcome}, not in ${run.outcome}.`);
    }
  }
}
