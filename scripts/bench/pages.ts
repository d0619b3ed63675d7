import { Agent } from "undici";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { html } from "../../src/service/kernel/html.ts";
import { table } from "../../src/service/pages/parts/table.ts";
import { signedIn, type Visitor } from "../../test/service/pages/visitor.ts";
import { type LocalService, startLocalService } from "./local-service.ts";
import { median, quantile } from "./measure.ts";
import type { Measurements } from "./rows.ts";

const SLOTS = 50;
const MANY = 5_000;
const PODS = 150_000;
/** Number of images in an environment of many pods. */
const IMAGES = 300;
const ROUNDS = 200;
const FEW_ROUNDS = 15;
const CLIENTS = 32;
const LOAD_MS = 5_000;
const TABLE_ROWS = 1_000;

const TRAIL = "/bench/flows/slots/trails/fifty";
const LONG_TRAIL = "/bench/flows/many/trails/long";
const ENVIRONMENT = "/bench/environments/large";

/** Loading times of pages from a service on the same machine. */
export async function pages(): Promise<Measurements<"pages">> {
  await using service = await startLocalService();
  await fill(service);
  const dispatcher = new Agent({ connections: CLIENTS });
  try {
    const visitor = await signedIn({ address: service.address, dispatcher }, service.apiKey);
    const trail = await visitTimes(visitor, TRAIL, ROUNDS);
    const view = await firstView(visitor, TRAIL);
    return {
      trail: { value: quantile(trail, 0.95), note: `median ${median(trail).toFixed(1)} ms` },
      kilobytes: { value: view.bytes / 1000, note: view.note },
      requests: { value: view.requests, note: "and the icon" },
      longTrail: { value: median(await visitTimes(visitor, LONG_TRAIL, FEW_ROUNDS)) },
      largeEnvironment: { value: median(await visitTimes(visitor, ENVIRONMENT, FEW_ROUNDS)) },
      table: { value: median(Array.from({ length: ROUNDS }, timeOfTable)) },
      perSecond: { value: await pagesPerSecond(visitor, TRAIL) },
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** A trail of 50 slots, one of 5,000 attestations, and an environment of 150,000 pods. */
async function fill({ address, apiKey, org }: LocalService): Promise<void> {
  const client = new EvidenceClient({ baseUrl: address, apiKey, org, timeout: 600 });
  const names = (count: number) => Array.from({ length: count }, (_, index) => `check-${index}`);
  const template = `version: 1\ntrail:\n  attestations:\n${names(SLOTS)
    .map((name) => `    - {name: ${name}, type: generic}\n`)
    .join("")}`;
  const templateFile = { name: "template.yml", content: new Blob([template]) };
  await client.createFlowWithTemplate({ body: { name: "slots", description: "" }, files: { templateFile } });
  await client.beginTrail({ flowName: "slots", body: { name: "fifty" } });
  const attest = async (flowName: string, trailName: string, wanted: readonly string[]) => {
    const left = [...wanted];
    const one = async () => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        const body = { attestationName: name, isCompliant: true, userData: { tool: "bench" } };
        await client.attestGeneric({ flowName, trailName, body });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, one));
  };
  await attest("slots", "fifty", names(SLOTS - 5));
  await attest("many", "long", names(MANY));
  await client.createEnvironment({ body: { name: "large", type: "K8S", description: "" } });
  const artifacts = Array.from({ length: PODS }, (_, index) => ({
    podName: `pod-${index}`,
    namespace: `team-${index % 50}`,
    creationTimestamp: 1_790_000_000,
    digests: { [`reg.example/web-${index % IMAGES}:1`]: (index % IMAGES).toString(16).padStart(64, "0") },
  }));
  await client.reportK8S({ envName: "large", body: { type: "K8S", artifacts } });
  await client.close();
}

/** Duration of each visit, from the request to the end of the response, in milliseconds. */
export async function visitTimes(visitor: Visitor, path: string, rounds: number): Promise<number[]> {
  const taken: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const start = performance.now();
    const { status } = await visitor.get(path);
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    if (round >= 0) taken.push(performance.now() - start);
  }
  return taken;
}

/** Files that a browser loads for a first visit. */
async function firstView(visitor: Visitor, path: string) {
  const packed = { "accept-encoding": "gzip" };
  const page = await visitor.get(path);
  const files = [...page.text.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)].map(
    ([, file = ""]) => file,
  );
  const sizes = await Promise.all([path, ...files].map((each) => sizeOf(visitor, each, packed)));
  return {
    requests: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    note: sizes.map((size) => `${(size / 1000).toFixed(1)} KB`).join(" + "),
  };
}

async function sizeOf(visitor: Visitor, path: string, headers: Record<string, string>): Promise<number> {
  const { headers: answered, text: body } = await visitor.get(path, headers);
  return Number(answered["content-length"] ?? Buffer.byteLength(body));
}

function timeOfTable(): number {
  const rows = Array.from({ length: TABLE_ROWS }, (_, index) => ({
    name: `trail-${index}`,
    state: "COMPLIANT",
  }));
  const start = performance.now();
  String(
    table(
      { here: () => "" },
      {
        id: "rows",
        caption: "Rows",
        columns: {
          Name: ({ name }) => name,
          State: ({ state }) => state,
          Number: { cell: (_) => 7, isNumber: true },
          Place: ({ name }) => ({ html: html`<b>${name}</b>`, csv: "" }),
        },
        rows,
        empty: "",
      },
    ).html,
  );
  return performance.now() - start;
}

async function pagesPerSecond(visitor: Visitor, path: string): Promise<number> {
  const end = performance.now() + LOAD_MS;
  let count = 0;
  const one = async () => {
    while (performance.now() < end) {
      await visitor.get(path);
      count++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return count / (LOAD_MS / 1000);
}
