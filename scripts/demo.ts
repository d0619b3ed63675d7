/*
 * Runs a whole delivery on the embedded service, with the real composite actions: build, attest, gate, report. A
 * webhook receiver verifies what the service sends. On a terminal, or with --keep, the service keeps running until it is
 * interrupted. EVIDENCE_DATABASE_URL can name an empty PostgreSQL database for the records.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../src/api/version.ts";
import { readSealingKey } from "../src/service/delivery/outgoing/sealed.ts";
import { type RunningService, startService } from "../src/service/service.ts";
import { runComposite } from "./composite/composite.ts";
import { uploadArtifact } from "./composite/upload-artifact.ts";
import { type Receiver, startReceiver } from "./demo/receiver.ts";
import { makeSampleProject } from "./demo/sample-project.ts";
import { demoSteps } from "./demo/steps.ts";
import { summaryText } from "./demo/summary-text.ts";

const ORG = "acme";
const FLOW = "greeter";
const EMPTY = "EVIDENCE_DATABASE_URL must name an empty database";

const keep = process.argv.includes("--keep") || (process.stdin.isTTY && process.stdout.isTTY);
const print = (text: string) => process.stdout.write(`${text}\n`);

const url = process.env["EVIDENCE_DATABASE_URL"] || undefined;
const folder = await mkdtemp(join(tmpdir(), "delivery-evidence-demo-"));
try {
  await showAll();
} catch (error) {
  process.stderr.write(`The demo failed: ${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function showAll(): Promise<void> {
  const service = await startFreshService();
  try {
    await using receiver = await startReceiver();
    const { address, firstKey: apiKey } = service;
    if (apiKey === undefined) throw new Error(`${EMPTY}: this one already has the organization '${ORG}'`);
    print(`The embedded service runs at ${address} and keeps its records in a temporary folder.\n`);
    await runWorkflow({ address, apiKey, receiver });
    if (!keep) {
      print("\nThe service has stopped, so its links no longer open. To look around, run it with --keep.");
      return;
    }
    print(`\nThe service is still running. Open ${address}/ and sign in with this key: ${apiKey}`);
    print("Press Ctrl-C to stop it and delete its records.");
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  } finally {
    await service.close();
  }
}

function startFreshService(): Promise<RunningService> {
  const options = {
    dataFolder: join(folder, "data"),
    host: "127.0.0.1",
    port: 0,
    org: ORG,
    version: VERSION,
    // The receiver is on this machine.
    outgoing: { allowTargets: ["127.0.0.1"], allowHttpTargets: true },
    log: () => {},
  };
  if (url === undefined) return startService(options);
  // Instances that share a database share a key. The demo runs one instance.
  const secretKey = readSealingKey(randomBytes(32).toString("hex"), "the key");
  return startService({ ...options, database: { url }, secretKey }).catch((cause: unknown) => {
    throw new Error(`${EMPTY}: ${messageOf(cause)}`, { cause });
  });
}

interface Running {
  readonly address: string;
  readonly apiKey: string;
  readonly receiver: Receiver;
}

async function runWorkflow({ address, apiKey, receiver }: Running): Promise<void> {
  const project = await makeSampleProject(join(folder, "workspace"));
  const steps = demoSteps(project, receiver.address);
  let secret = "";
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
        EVIDENCE_BASE_URL: address,
        EVIDENCE_FLOW: FLOW,
      },
      workspace: project.workspace,
      tempDir: join(folder, "runner-temp"),
      github: project.github,
      uses: { "actions/upload-artifact": uploadArtifact(join(folder, "artifacts")) },
      masks,
    });
    masks = run.masks;
    secret ||= run.outputs["secret"] ?? "";
    print(run.page);
    print(summaryText(run.summary));
    if (run.outcome !== step.outcome) {
      throw new Error(`Expected this step to end in ${step.outcome}, but it ended in ${run.outcome}.`);
    }
  }
  await showDelivery(receiver, secret);
}

/** Shows the verified event that the receiver got. */
async function showDelivery(receiver: Receiver, secret: string): Promise<void> {
  const { id, event } = await receiver.next(secret);
  const shown = { "webhook-id": id, ...Object(event) };
  print(`━━━ Delivered to ${receiver.address}, signature verified\n`);
  for (const name of ["webhook-id", "sequence", "type", "description"]) print(`${name}: ${shown[name]}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
