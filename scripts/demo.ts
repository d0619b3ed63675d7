/*
 * The main job of the toolkit on the embedded service: what a workflow that builds, attests, gates and reports does,
 * by the real composite actions. A receiver of webhooks is told of it, and checks who told it. With --keep the service
 * stays up until it is interrupted. It keeps its records in the PostgreSQL database that EVIDENCE_DATABASE_URL names,
 * if it names one, which must be empty.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { verifyWebhook, type WebhookHeaders } from "../src/api/resources/verify-webhook.ts";
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

const keep = process.argv.includes("--keep");
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
    if (apiKey === undefined) throw new Error(`${EMPTY}: '${ORG}' is in this one already`);
    print(`The embedded service runs at ${address}, its data in a fresh folder.\n`);
    await runWorkflow({ address, apiKey, receiver });
    if (!keep) return;
    print(`The service stays up at ${address} for organization '${ORG}'. Its key: ${apiKey}`);
    print("Press Ctrl-C to stop it and remove its data.");
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
  // Several services on one database would need one key. This one is alone.
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
      throw new Error(`This step was to end in ${step.outcome}, not in ${run.outcome}.`);
    }
  }
  await showDelivery(receiver, secret);
}

/** Shows what the receiver was told, once its signature proves that the service told it. */
async function showDelivery(receiver: Receiver, secret: string): Promise<void> {
  const { headers, body } = await receiver.next();
  const event = provenEvent(receiver.address, { headers, body, secret });
  const shown = { "webhook-id": headers["webhook-id"], ...Object(event) };
  print(`━━━ Delivered to ${receiver.address}, with a signature that is right\n`);
  for (const name of ["webhook-id", "sequence", "type", "description"]) print(`${name}: ${shown[name]}`);
}

/** @throws Error that says what cannot be believed, and why */
function provenEvent(
  address: string,
  { headers, body, secret }: { headers: WebhookHeaders; body: string; secret: string },
): unknown {
  try {
    return verifyWebhook(headers, body, secret);
  } catch (cause) {
    throw new Error(`What was delivered to ${address} cannot be believed: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
