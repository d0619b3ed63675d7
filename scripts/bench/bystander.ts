import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EvidenceClient } from "../../src/api/client/client.ts";
import type { Attack, AttackerMessage } from "./attacker-program.ts";
import { median } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

const PROGRAM = fileURLToPath(new URL("attacker-program.ts", import.meta.url));
const ATTACKER = "attacker";
const BYSTANDER = "bystander";
const SECONDS = 10;
/** Timeout of a bystander's request. The exact time above it does not matter. */
const PATIENCE_SECONDS = 120;
const KIBIBYTES_A_MEGABYTE = 1_000_000 / 1024;

/** The longest wait of one organization, or one key, while another is hostile or careless. */
export async function bystander(): Promise<Measurements<"bystander">> {
  const patterns = await slowestDuring("patterns");
  const jqRules = await slowestDuring("jqRules");
  const manyErrors = await slowestDuring("manyErrors");
  const { peak, ...heldBodies } = await slowestDuring("heldBodies");
  const pipelining = await slowestDuring("pipelining");
  const heldUploads = await slowestDuring("heldUploads");
  const bodySlots = await slowestDuring("bodySlots", { within: true });
  const longLists = await slowestDuring("longLists");
  const longListsWorkers = await slowestDuring("longLists", { workers: 1 });
  const largeReport = await slowestDuring("largeReport");
  const largeReportWorkers = await slowestDuring("largeReport", { workers: 1 });
  const heldBodiesPeak = { value: peak / KIBIBYTES_A_MEGABYTE };
  return {
    ...{ patterns, jqRules, manyErrors, heldBodies, heldBodiesPeak },
    ...{ pipelining, heldUploads, bodySlots, longLists, longListsWorkers },
    pipeliningPeak: { value: pipelining.grown / KIBIBYTES_A_MEGABYTE },
    heldUploadsDisk: { value: heldUploads.disk / 1_000_000 },
    ...{ largeReport, largeReportWorkers },
  };
}

/** Runs an attack against its own service. */
export async function slowestDuring(
  attack: Attack,
  { within = false, ...settings }: { workers?: number; within?: boolean; opa?: string } = {},
): Promise<Measured & { readonly peak: number; readonly grown: number; readonly disk: number }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-bystander-"));
  try {
    await using service = await startServiceProcess(folder, [ATTACKER, BYSTANDER], settings);
    let disk = 0;
    const looked = async () => {
      disk = Math.max(disk, await sizeOf(join(folder, "incoming")));
    };
    const before = (await service.usage()).peak;
    const [quiet, answers, sent] = await watch(service, attack, { within, looked });
    const value = Math.max(...answers);
    const note = `${answers.length} answers, alone ${quiet.toFixed(1)} ms; ${sent}`;
    const { peak } = await service.usage();
    return { value, note, peak, grown: peak - before, disk };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The bystander's usual time, the response times during the attack, and the attacker's report of what it sent. */
async function watch(
  service: ServiceProcess,
  attack: Attack,
  { within, looked }: { within: boolean; looked: () => Promise<void> },
): Promise<[number, number[], string]> {
  const org = within ? ATTACKER : BYSTANDER;
  const apiKey = within ? await anotherKey(service) : (service.keys[BYSTANDER] ?? "");
  const options = { apiKey, org, baseUrl: service.address, timeout: PATIENCE_SECONDS, retries: 0 };
  const client = new EvidenceClient(options);
  const ask = async () => {
    const start = performance.now();
    if (within) await client.createFlow({ body: { name: "web", description: "", template: [] } });
    else await client.listRepos({});
    return performance.now() - start;
  };
  const alone: number[] = [];
  for (let count = 0; count < 100; count++) alone.push(await ask());

  const args = [attack, service.address, ATTACKER, service.keys[ATTACKER] ?? "", String(SECONDS)];
  const attacker = fork(PROGRAM, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const message = async (): Promise<AttackerMessage> => {
    const ended = once(attacker, "close").then(([status]) => {
      throw new Error(`The attacker program of '${attack}' exited with ${status}`);
    });
    const [reply] = await Promise.race([once(attacker, "message"), ended]);
    return reply;
  };
  try {
    await message();
    let summary: AttackerMessage | undefined;
    const done = message().then((reply) => {
      summary = reply;
    });
    const answers: number[] = [];
    while (summary === undefined) {
      answers.push(await ask());
      if (answers.length % 20 === 1) await looked();
    }
    await done;
    return [median(alone), answers, summary.sent ?? ""];
  } finally {
    attacker.kill("SIGKILL");
    await client.close();
  }
}

/** Another key of the attacker's organization. */
async function anotherKey(service: ServiceProcess): Promise<string> {
  const apiKey = service.keys[ATTACKER] ?? "";
  const client = new EvidenceClient({ apiKey, org: ATTACKER, baseUrl: service.address });
  try {
    const { body } = await client.createApiKey({ name: "admin", body: { description: "bystander" } });
    return body.key;
  } finally {
    await client.close();
  }
}

/** Total size of the files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  // A file may have been removed.
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
