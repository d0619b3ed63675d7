import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { request } from "undici";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { selfSigned } from "../api/certificates.ts";
import { listening } from "../api/local-server.ts";
import { reporterProgram } from "../cli/reporter/reporter-program.ts";
import { runHere } from "../cli/terminal.ts";
import { hasHelm, type Rendered, rendered } from "../docs/charts.ts";
import { deploymentFile } from "../docs/deployment-files.ts";
import { hasApiServer, ISSUER, type RealApiServer, realApiServer } from "../kubernetes/real-api-server.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";

let program = "";
beforeAll(async () => {
  program = await reporterProgram();
});
const ACCOUNT = "release-k8s-reporter";

/** Creates a pod, and reports that it runs, as a node would. */
function runPod({ kubectl }: RealApiServer, namespace: string, name: string): void {
  const image = `registry.example.com/${name}`;
  const spec = { containers: [{ name: "app", image }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace }, spec };
  kubectl(["create", "-f", "-"], JSON.stringify(pod));
  const imageID = `${image}@sha256:${"a".repeat(64)}`;
  const state = { name: "app", image, imageID, ready: true, restartCount: 0 };
  const status = { phase: "Running", containerStatuses: [state] };
  kubectl(["patch", "pod", name, "-n", namespace, "--subresource=status", "-p", JSON.stringify({ status })]);
}

/** Creates objects as helm does: those without a namespace in that of the release. Returns their number. */
function create(kubectl: RealApiServer["kubectl"], objects: Rendered["objects"]): number {
  const groups = Map.groupBy(objects, ({ metadata }) => metadata.namespace ?? "evidence");
  const created = [...groups].map(([namespace, items]) => {
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    return kubectl(["create", "--validate=strict", "-n", namespace, "-f", "-"], list).trim().split("\n");
  });
  return created.flat().length;
}

async function running(service: TestService): Promise<string[]> {
  const { body } = await send(service, { path: `/snapshots/${ORG}/production/-1` });
  const artifacts: { name: string; annotation: { now: number } }[] = body.artifacts ?? [];
  return artifacts.filter(({ annotation }) => annotation.now > 0).map(({ name }) => name.split("/")[1] ?? "");
}

describe.skipIf(!hasApiServer || !hasHelm)("a real API server", () => {
  test("accepts the objects of both charts", async () => {
    const { kubectl } = await realApiServer();
    kubectl(["create", "namespace", "evidence"]);
    kubectl(["create", "namespace", "shop"]);
    const reporter = {
      baseUrl: "https://evidence.example.com",
      serviceAccount: { permissionScope: "namespace" },
      reporterConfig: { kosliOrg: "acme", environments: [{ name: "shop", namespaces: ["shop"] }] },
    };
    const service = {
      publicUrl: "https://evidence.example.com",
      ...{ replicas: 2, attachments: "s3://evidence-of-acme/attachments" },
      database: { url: "postgres://db/evidence", passwordSecret: { name: "database", key: "password" } },
      ingress: { enabled: true, className: "nginx", tlsSecret: "tls" },
      networkPolicy: { enabled: true, databaseCidr: "10.20.0.0/24" },
    };
    const all = [
      rendered("k8s-reporter", reporter),
      rendered("delivery-evidence", service),
      rendered("delivery-evidence", { publicUrl: "https://two.example.com", fullnameOverride: "two" }),
    ];
    for (const { objects } of all) expect(create(kubectl, objects)).toBe(objects.length);
  });

  test("asks the service before it creates a pod, by the object of the page", async () => {
    const { kubectl, kubectlBeside } = await realApiServer();
    const service = await startTestService();
    onTestFinished(() => service.dispose());
    await pipeline(service).environment("production");
    const admin = { key: service.keys.admin };
    const json = { name: "cluster", environment_name: "production" };
    const made = await send(service, { method: "POST", path: `/admission-webhooks/${ORG}`, json, ...admin });
    const [known, unknown] = ["a".repeat(64), "b".repeat(64)];
    const allowed = { artifact_name: "web", artifact_fingerprint: known, description: "" };
    await send(service, { method: "PUT", path: `/allowlists/${ORG}/production`, json: allowed, ...admin });
    const { origin, caBundle } = await behindTls(service);
    const object = parse(deploymentFile("admission-webhook.yaml"));
    const url = origin + new URL(made.body.url).pathname;
    Object.assign(object.webhooks[0].clientConfig, { url, caBundle });
    kubectl(["create", "--validate=strict", "-f", "-"], JSON.stringify(object));
    kubectl(["create", "namespace", "shop"]);
    const create = (namespace: string, name: string, image: string) => {
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace } };
      const spec = { containers: [{ name: "web", image }] };
      return kubectlBeside(["create", "-f", "-"], JSON.stringify({ ...pod, spec })).catch(String);
    };
    // The API server reads its configuration a moment later.
    let attempt = 0;
    const refusal = `denied the request: the image may not run in environment 'production'\n- container web (web@sha256:bbbbbbbbbbbb…): no flow has reported`;
    await vi.waitFor(
      async () =>
        expect(await create("shop", `web-${++attempt}`, `web@sha256:${unknown}`)).toContain(refusal),
      { timeout: 20_000, interval: 500 },
    );
    expect(await create("shop", "tagged", "web:1")).toContain("it is not pinned by digest");
    expect(await create("shop", "known", `web@sha256:${known}`)).toContain("pod/known created");
    expect(await create("kube-system", "own", "dns:1")).toContain("pod/own created");
  });

  test("lets the reporter of the chart read pods, and its token is exchanged at the service", async () => {
    const cluster = await realApiServer();
    const { kubectl } = cluster;
    const service = await startTestService();
    // The cluster's tokens have the time of the machine.
    service.clock.time = Date.now() / 1000;
    onTestFinished(() => service.dispose());
    const folder = mkdtempSync(join(tmpdir(), "evidence-real-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ["evidence", "shop", "batch"]) kubectl(["create", "namespace", name]);
    const chart = rendered("k8s-reporter", {
      baseUrl: service.address,
      reporterConfig: { kosliOrg: ORG, environments: [{ name: "production" }] },
    });
    create(kubectl, chart.objects);
    runPod(cluster, "shop", "web");

    const jwks = join(folder, "jwks.json");
    writeFileSync(jwks, kubectl(["get", "--raw", "/openid/v1/jwks"]));
    const env = {
      EVIDENCE_API_KEY: service.keys.admin,
      EVIDENCE_ORG: ORG,
      EVIDENCE_BASE_URL: service.address,
    };
    const trusted = await runHere(
      [
        ...["trust", "kubernetes", `evidence/${ACCOUNT}`, "--issuer", ISSUER, "--jwks", jwks],
        ...["--environment", "production", "--role", "member"],
      ],
      { env },
    );
    expect(trusted).toMatchObject({ status: 0, stderr: "" });

    const tokenOf = (...more: string[]) =>
      kubectl(["create", "token", ACCOUNT, "-n", "evidence", ...more]).trim();
    const projected = join(folder, "token");
    writeFileSync(projected, tokenOf(`--audience=${service.address}/${ORG}`));
    const config = join(folder, "environments.yml");
    writeFileSync(config, "- environment: production\n  create-environment: true\n");
    const child = spawn(
      process.execPath,
      [program, "--config", config, "--port", "0", "--host", "127.0.0.1", "--debounce", "0.2"],
      {
        env: {
          ...cluster.podWith(tokenOf()),
          ...{ EVIDENCE_BASE_URL: service.address, EVIDENCE_ORG: ORG, EVIDENCE_TOKEN_FILE: projected },
        },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const lines: string[] = [];
    child.stderr.on("data", (chunk) => lines.push(String(chunk)));
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    const reports = (wanted: readonly string[]) =>
      vi.waitFor(
        async () =>
          expect({ running: await running(service), lines }).toEqual({
            running: wanted,
            lines: expect.anything(),
          }),
        { timeout: 20_000, interval: 200 },
      );
    await reports(["web"]);
    runPod(cluster, "batch", "job");
    await reports(["job", "web"]);
    kubectl(["delete", "pod", "web", "-n", "shop", "--force", "--grace-period=0"]);
    await reports(["job"]);

    kubectl(["delete", "clusterrolebinding", `evidence-${ACCOUNT}`]);
    const lacking = new PodReader(cluster, tokenOf());
    expect(await lacking.list()).toContain('cannot list resource "pods"');
  });
});

/** The address of a server with TLS in front of a service, and its certificate. */
async function behindTls(service: TestService) {
  const certificate = selfSigned(["localhost"]);
  const server = createServer(certificate, async (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    const type = String(headers["content-type"]);
    const answer = await request(new URL(url, service.address), {
      ...{ method: method as "POST", headers: { "content-type": type }, body: await buffer(incoming) },
    });
    response.writeHead(answer.statusCode, { "content-type": "application/json" });
    response.end(await answer.body.text());
  });
  const port = await listening(server);
  return { origin: `https://localhost:${port}`, caBundle: Buffer.from(certificate.cert).toString("base64") };
}

/** Reads pods with the token of a service account. */
class PodReader {
  readonly #cluster: RealApiServer;
  readonly #token: string;

  constructor(cluster: RealApiServer, token: string) {
    this.#cluster = cluster;
    this.#token = token;
  }

  async list(): Promise<string> {
    const { ApiServer, ownCluster } = await import("../../src/kubernetes/api-server.ts");
    const { signal } = new AbortController();
    await using server = new ApiServer(await ownCluster(this.#cluster.podWith(this.#token), signal));
    return server.get("/api/v1/pods").catch((error: Error) => error.message);
  }
}
