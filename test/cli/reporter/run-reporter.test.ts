import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { readEnvironments } from "../../../src/cli/reporter/environments.ts";
import { privateCluster } from "../../identity/cluster-tokens.ts";
import { type FakeApiServer, fakeApiServer, podOf } from "../../kubernetes/fake-api-server.ts";
import { send } from "../../service/requests.ts";
import { ORG, startTestService, type TestService } from "../../service/running-service.ts";
import { reporterProgram } from "./reporter-program.ts";

/** The file of the container image. */
let program = "";
let service: TestService;
beforeAll(async () => {
  program = await reporterProgram();
  service = await startTestService();
});
afterAll(() => service.dispose());

let folder: string;
/** Each test has an environment of its own. */
let production = "";
/** The configuration of an environment with all pods. */
let all = "";
beforeEach(({ task }) => {
  folder = mkdtempSync(join(tmpdir(), "evidence-reporter-"));
  production = `production-${task.id.replace(/\W/g, "-")}`;
  all = `- environment: ${production}\n`;
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Lines on the standard error, without their times. */
  readonly lines: string[];
  readonly stdout: string[];
  /** Address of the probes. */
  address(): Promise<string>;
}

interface Wanted {
  readonly config: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the program until the test ends, with the key of a snapshotter. */
function start(fake: FakeApiServer, { config, args = [], env = {} }: Wanted): Started {
  const file = join(folder, "environments.yml");
  writeFileSync(file, config);
  const own = [
    "--config",
    file,
    "--port",
    "0",
    "--host",
    "127.0.0.1",
    ...(args.includes("--interval") ? [] : ["--interval", "5"]),
    "--debounce",
    "0.1",
  ];
  const where = { EVIDENCE_BASE_URL: service.address, EVIDENCE_ORG: ORG };
  const key = { EVIDENCE_API_KEY: service.keys.snapshotter };
  const child = spawn(process.execPath, [program, ...own, ...args], {
    env: { ...fake.env, ...where, ...(env["EVIDENCE_TOKEN_FILE"] ? {} : key), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const stdout: string[] = [];
  const into = (list: string[]) => (chunk: Buffer) =>
    list.push(
      ...chunk
        .toString()
        .split("\n")
        .filter(Boolean)
        .map((line) => line.replace(/^\d{4}-\S+Z /, "")),
    );
  child.stderr.on("data", into(lines));
  child.stdout.on("data", into(stdout));
  const ended = once(child, "exit").then(([status]) => status);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const address = async () => {
    const served = () => lines.map((line) => /(http:\S+)\/healthz/.exec(line)?.[1]).find(Boolean);
    return vi.waitUntil(served, { timeout: 20_000 });
  };
  return { child, ended, lines, stdout, address };
}

test("--help prints the options", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, "--help"]);
  expect(stdout).toContain("Usage:\n  delivery-evidence watch --config FILE [OPTION…]");
  expect(stdout).toMatch(/^ {2}--debounce SECONDS /m);
  expect(stderr).toBe("");
});

async function environment(name: string): Promise<void> {
  const json = { name, type: "K8S", description: "" };
  await send(service, { method: "PUT", path: `/environments/${ORG}`, json });
}

/** The start of the answer to a request as it is. */
async function rawRequest(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).end(text);
  const [start] = await once(socket, "data");
  socket.destroy();
  return String(start);
}

/** Names of the pods in the newest snapshot. */
async function running(name: string): Promise<string[] | undefined> {
  const { status, body } = await send(service, { path: `/snapshots/${ORG}/${name}/-1` });
  if (status !== 200) return undefined;
  const artifacts: { name: string; annotation: { now: number } }[] = body.artifacts;
  return artifacts
    .filter(({ annotation }) => annotation.now > 0)
    .map(({ name: image }) => image.replace("registry.example.com/", ""))
    .sort();
}

const reported = (name: string, wanted: readonly string[]) =>
  vi.waitFor(async () => expect(await running(name)).toEqual(wanted), { timeout: 20_000, interval: 50 });

const web = podOf({ name: "web", namespace: "shop" });
const job = podOf({ name: "job", namespace: "batch" });

describe("the reporter", () => {
  test("reports what runs, and each change of it", async () => {
    await environment(production);
    const fake = await fakeApiServer();
    fake.put(web);
    const { lines, address } = start(fake, { config: all });
    await reported(production, ["web"]);
    fake.put(job);
    await reported(production, ["job", "web"]);
    fake.remove(web);
    await reported(production, ["job"]);
    fake.remove(job);
    await reported(production, []);
    const health = await request(`${await address()}/healthz`);
    expect({ status: health.statusCode, text: await health.body.text() }).toEqual({
      status: 200,
      text: "ok\n",
    });
    const metrics = await (await request(`${await address()}/metrics`)).body.text();
    expect(metrics).toContain(
      `evidence_reporter_reports_total{environment="${production}",outcome="recorded"} 4`,
    );
    expect(metrics).toContain('evidence_reporter_watch_connected{namespace=""} 1');
    // No URL has this path.
    expect(await rawRequest(await address(), "GET // HTTP/1.1\r\nhost: x\r\n\r\n")).toContain("404");
    expect((await request(`${await address()}/healthz`)).statusCode).toBe(200);
    expect(lines).toContain("Watching the pods of the cluster");
    expect(lines.filter((line) => line.startsWith("Reported"))).toHaveLength(4);
  });

  test("reports several environments by namespace, with rights for only those", async () => {
    await environment("shop");
    await environment("batch");
    const fake = await fakeApiServer();
    fake.forbidden.add("*");
    fake.put(web);
    fake.put(job);
    const config = "- environment: shop\n  namespaces: [shop]\n- environment: batch\n  namespaces: [batch]\n";
    start(fake, { config });
    await reported("shop", ["web"]);
    await reported("batch", ["job"]);
    expect(new Set(fake.requests.map((path) => path.split("?")[0]))).toEqual(
      new Set(["/api/v1/namespaces/shop/pods", "/api/v1/namespaces/batch/pods"]),
    );
  });

  test("needs no key: it exchanges the projected token of its pod, and creates its environment", async () => {
    const cluster = privateCluster(() => service.clock.time);
    const policy = {
      ...{ name: "reporter", role: "snapshotter", environments: [production], jwks: cluster.jwks },
      ...{ service_account: "evidence/reporter", issuer: cluster.issuer },
    };
    const path = `/trust-policies/${ORG}`;
    await send(service, { method: "POST", path, json: policy, key: service.keys.admin });
    const file = join(folder, "token");
    writeFileSync(file, cluster.token(`${service.address}/${ORG}`));
    const fake = await fakeApiServer();
    fake.put(web);
    const config = `${all}  create-environment: true\n`;
    start(fake, { config, env: { EVIDENCE_TOKEN_FILE: file } });
    await reported(production, ["web"]);
    // The access token ends after 15 minutes.
    service.clock.time += 1_000;
    writeFileSync(file, cluster.token(`${service.address}/${ORG}`));
    fake.put(job);
    await reported(production, ["job", "web"]);
    const { body } = await send(service, { path: `/snapshots/${ORG}/${production}/-1` });
    expect(body.origin.name).toBe("kubernetes:evidence/reporter of kubernetes.default.svc.cluster.local");
  });

  test("never reports a part of the cluster", async () => {
    await environment(production);
    const fake = await fakeApiServer(1);
    fake.put(web);
    fake.put(job);
    const unavailable = { status: 500, reason: "InternalError", message: "etcd has no leader" };
    const { lines } = start(fake, { config: all });
    fake.faults.push(unavailable);
    await reported(production, ["job", "web"]);
    const { body } = await send(service, { path: `/snapshots/${ORG}/${production}` });
    expect(body).toHaveLength(1);
    expect(lines.filter((line) => line.includes("cannot be watched"))).toEqual([
      "The pods of the cluster cannot be watched, and nothing is reported meanwhile: Error from server (InternalError): etcd has no leader",
    ]);
  });

  test("names the right that it lacks", async () => {
    const fake = await fakeApiServer();
    fake.forbidden.add("*");
    const { lines } = start(fake, { config: all });
    await vi.waitUntil(() => lines.some((line) => line.includes("cannot be watched")), { timeout: 20_000 });
    expect(lines.at(-1)).toContain(
      "Grant the verb 'list' on the resource 'pods' at the cluster scope, or list `namespaces` by name in each environment",
    );
  });

  test("writes one line for a warning, whatever the name of an image is", async () => {
    await environment(production);
    const fake = await fakeApiServer();
    const image = "web\n2026-03-04T05:06:07.000Z Reported 9 pods to 'production'\u001b[2J";
    const state = { name: "app", image, imageID: "" };
    fake.put({ ...web, status: { phase: "Running", containerStatuses: [state] } });
    const { lines } = start(fake, { config: all });
    await reported(production, []);
    expect(lines.filter((line) => line.startsWith("Reported 9"))).toEqual([]);
    expect(lines.filter((line) => line.includes("Reported 9"))).toHaveLength(1);
  });

  test("goes on while the service is unavailable, and says so once", async () => {
    await environment(production);
    const fake = await fakeApiServer();
    fake.put(web);
    const { lines } = start(fake, { config: all, env: { EVIDENCE_BASE_URL: "http://127.0.0.1:9" } });
    await vi.waitUntil(() => lines.some((line) => line.includes("could not be reported")), {
      timeout: 20_000,
    });
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const faults = lines.filter((line) => line.includes("could not be reported"));
    expect(faults).toEqual([
      expect.stringContaining(`'${production}' could not be reported, and will be tried again`),
    ]);
  });

  test("is not healthy after three intervals without a report", async () => {
    const fake = await fakeApiServer();
    fake.put(web);
    const { address, lines } = start(fake, { config: all });
    const url = `${await address()}/healthz`;
    const ask = async () => {
      const { statusCode, body } = await request(url);
      return { status: statusCode, text: await body.text() };
    };
    expect((await ask()).status).toBe(200);
    await vi.waitFor(
      async () => expect(await ask()).toEqual({ status: 503, text: "no report succeeded for 3 intervals\n" }),
      { timeout: 25_000, interval: 500 },
    );
    expect(
      lines.filter((line) => line.includes(`create-environment: true for '${production}'`)),
    ).toHaveLength(1);
  });

  test("does not report an environment in which it never saw a pod, unless it may be empty", async () => {
    await environment("shpo");
    await environment("empty");
    const fake = await fakeApiServer();
    fake.put(web);
    const config =
      "- environment: shpo\n  namespaces: [shpo]\n- environment: empty\n  namespaces: [none]\n  allow-empty: true\n";
    const { lines } = start(fake, { config });
    const isReported = () => lines.some((line) => line.startsWith("Reported 0 pods to 'empty'"));
    await vi.waitUntil(isReported, { timeout: 20_000 });
    expect(lines).toContain(
      "'shpo' is not reported: there is no pod in shpo. Check the namespaces, or set allow-empty: true if the environment may be empty.",
    );
  });

  test("prints its reports in a dry run, without a service", async () => {
    const fake = await fakeApiServer();
    fake.put(web);
    const env = { EVIDENCE_API_KEY: "", EVIDENCE_BASE_URL: "", EVIDENCE_ORG: "" };
    const { stdout } = start(fake, { config: all, args: ["--dry-run"], env });
    await vi.waitUntil(() => stdout.length > 0, { timeout: 20_000 });
    expect(JSON.parse(stdout[0] ?? "")).toMatchObject({
      environment: production,
      type: "K8S",
      artifacts: [{ podName: "web", namespace: "shop" }],
    });
  });

  test.each([
    ["SIGTERM", 0],
    ["SIGINT", 130],
  ] as const)("ends within a second after %s", async (signal, status) => {
    await environment(production);
    const fake = await fakeApiServer();
    fake.put(web);
    const { child, ended } = start(fake, { config: all });
    await reported(production, ["web"]);
    const before = performance.now();
    child.kill(signal);
    expect(await ended).toBe(status);
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  test.each([
    [
      "an invalid expression",
      "- environment: production\n  namespaces-regex: '['\n",
      "is not a regular expression",
    ],
    ["an unknown field", "- environment: production\n  namespace: web\n", "did you mean 'namespaces'?"],
    ["another cluster", "- environment: production\n  context: prod\n", "context: the reporter reads only"],
    ["a server", "- environment: production\n  type: docker\n", "type: the reporter reads only"],
    ["no list", "environment: production\n", "must list 1 to 200 environments"],
  ])("refuses %s", async (_, config, message) => {
    const file = join(folder, "environments.yml");
    writeFileSync(file, config);
    await expect(readEnvironments(file)).rejects.toThrow(message);
  });

  test.each([
    [
      "another cluster",
      "- environment: production\n  context: prod\n",
      [],
      "context: the reporter reads only",
    ],
    [
      "a short interval",
      "- environment: production\n",
      ["--interval", "1"],
      "--interval must be between 5 and 3600 seconds, got '1'",
    ],
    ["an unknown option", "- environment: production\n", ["--intervall", "10"], "Unknown option --intervall"],
  ])("refuses %s before its first request", async (_, config, args, message) => {
    const fake = await fakeApiServer();
    const { ended, lines } = start(fake, { config, args });
    expect(await ended).toBe(1);
    expect(lines.join("\n")).toContain(message);
    expect(fake.requests).toEqual([]);
  });
});
