import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { runProgram, type ServedProgram, serveProgram } from "../cli/program.ts";
import { runHere } from "../cli/terminal.ts";
import { deploymentFile, has, replaced } from "./deployment-files.ts";
import { root } from "./pages.ts";

/** Time that `serve` gives open requests to finish. */
const CLOSE_SECONDS = 13;
const SECRETS = "/run/secrets/";

const unit = deploymentFile("delivery-evidence.service");
const [, started = ""] = /^ExecStart=\S+ ((?:.*\\\n)*.*)$/m.exec(unit) ?? [];

const composed = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        command: z.array(z.string()).default([]),
        environment: z.record(z.string(), z.string()).default({}),
        secrets: z.array(z.string()).default([]),
        volumes: z.array(z.string()).default([]),
        tmpfs: z.array(z.string()).default([]),
        read_only: z.boolean().default(false),
        networks: z.array(z.string()),
        healthcheck: z.object({ test: z.array(z.string()) }).optional(),
        stop_grace_period: z.string().default("10s"),
      }),
    ),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    networks: z.object({
      front: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
    }),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(deploymentFile("compose.yaml"), { merge: true }));
const instances = Object.entries(composed.services).filter(([name]) => name.startsWith("evidence-"));

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
});
const deployed = z.object({
  spec: z.object({
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            readinessProbe: probe,
            livenessProbe: probe,
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            securityContext: z.object({ readOnlyRootFilesystem: z.boolean() }),
          }),
        ]),
        volumes: z.array(
          z.object({
            name: z.string(),
            secret: z.object({ items: z.array(z.object({ path: z.string() })) }).optional(),
            emptyDir: z.object({}).optional(),
          }),
        ),
      }),
    }),
  }),
});
const objects = ["kubernetes.yaml", "kubernetes-network.yaml"]
  .flatMap((name) => parseAllDocuments(deploymentFile(name)))
  .map((document) => document.toJS());
const ofKind = (kind: string) => objects.find((object) => object.kind === kind);
const pod = deployed.parse(ofKind("Deployment")).spec.template;
const [container] = pod.spec.containers;

/** The arguments of each `serve` command in the files, by location. */
const commandLines = [
  ["delivery-evidence.service", started.split(/[\s\\]+/)],
  ...instances.map(([name, { command }]) => [`${name} of compose.yaml`, command] as const),
  ["kubernetes.yaml", container.args],
] as const;

/** The value of an option, written as `--name=value` or `--name value`. */
function option(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  if (at === -1) return undefined;
  return args[at] === `--${name}` ? args[at + 1] : args[at]?.slice(`--${name}=`.length);
}

/** The arguments after `serve`, without one option that is replaced. */
function without(args: readonly string[], ...names: readonly string[]): string[] {
  return args.slice(1).filter((arg, at, all) => {
    const isNamed = (text = "") =>
      names.some((name) => text === `--${name}` || text.startsWith(`--${name}=`));
    const isValue = !arg.startsWith("--") && all[at - 1]?.includes("=") === false;
    return !isNamed(isValue ? all[at - 1] : arg);
  });
}

let folder = "";
let service: ServedProgram;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "evidence-deployment-"));
  const [, args] = commandLines[0];
  const own = ["--data", join(folder, "unit"), "--metrics-port", "0"];
  service = await serveProgram([...without(args, "data", "metrics-port"), ...own]);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** The status that the service of the unit answers with, on its own port or that of the metrics. */
async function statusOf(path: string, port = "http"): Promise<number> {
  const metrics = () => /The metrics are at (\S+)\/metrics/.exec(service.errors())?.[1];
  await expect.poll(metrics).toBeDefined();
  const { statusCode, body } = await request(`${port === "metrics" ? metrics() : service.address}${path}`);
  await body.dump();
  return statusCode;
}

describe("the files start existing programs with valid options", () => {
  test("the service starts with the options of the unit", async () => {
    expect(await statusOf("/ready")).toBe(200);
  });

  // Nothing listens at the address of the database, so the options have been parsed by then.
  test.each(commandLines.slice(1))("%s has existing options with valid values", async (_, args) => {
    const password = join(folder, "password");
    writeFileSync(password, "secret");
    const secretKey = join(folder, "secret-key");
    writeFileSync(secretKey, randomBytes(32).toString("base64"));
    const place = [
      ...["--data", join(folder, "database"), "--database-password-file", password],
      ...["--secret-key-file", secretKey],
      ...["--database-url", "postgres://evidence@127.0.0.1:1/evidence"],
    ];
    const env = Object.fromEntries(container.env.map(({ name, value = "" }) => [name, value]));
    const options = without(args, "data", "database-url", "database-password-file", "secret-key-file");
    const { status, stderr } = await runHere(["serve", ...options, ...place], { env });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("The database postgres://evidence@127.0.0.1:1/evidence cannot be reached"),
    ]);
  });

  test("the image is built from this version, and starts the program of the package", () => {
    const { version, bin } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
    const texts = ["Dockerfile", "compose.yaml", "kubernetes.yaml"].map(deploymentFile);
    const versions = texts.map((text) =>
      [...text.matchAll(/delivery-evidence[:@](\d\S*)/g)].map(([, it]) => it),
    );
    expect(versions.map((found) => [...new Set(found)])).toEqual([[version], [version], [version]]);
    expect(deploymentFile("Dockerfile")).toContain(`ENTRYPOINT [${JSON.stringify(Object.keys(bin)[0])}]`);
  });

  test.each(["client.Dockerfile", "reporter.Dockerfile"])(
    "%s copies what exists, and runs a script",
    (file) => {
      const text = deploymentFile(file);
      const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
        paths.split(" "),
      );
      expect(copied).toContain("scripts");
      expect(copied.filter((path) => !existsSync(root + path))).toEqual([]);
      const [, script = ""] = /^RUN npm run (\S+) -- \/\w+$/m.exec(text) ?? [];
      expect(JSON.parse(readFileSync(`${root}package.json`, "utf8")).scripts).toHaveProperty([script]);
      expect(text).toMatch(/^FROM node:24-alpine$/m);
    },
  );

  test("the page links to every file", () => {
    const page = readFileSync(`${root}docs/deployment.md`, "utf8");
    const files = readdirSync(`${root}docs/deployment`);
    expect(files.filter((file) => !page.includes(`](deployment/${file})`))).toEqual([]);
  });
});

describe("the files agree with each other", () => {
  const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]));

  test("all clients use the port that the service listens on", async () => {
    const upstreams = [
      ...deploymentFile("nginx.conf").matchAll(/^ {4}(?:# )?server \S+:(\d+) max_fails/gm),
      ...deploymentFile("Caddyfile").matchAll(/\{\$EVIDENCE_UPSTREAMS:\S+:(\d+)\}/g),
      ...(composed.services["proxy"]?.environment["EVIDENCE_UPSTREAMS"] ?? "").matchAll(/:(\d+)/g),
    ].map(([, port]) => Number(port));
    expect(upstreams).toEqual(Array(5).fill(ports.get("http")));
    expect(commandLines.map(([, args]) => option(args, "port"))).toEqual(Array(4).fill(undefined));
    const { stdout: help } = await runHere(["serve", "--help"]);
    expect(help).toMatch(new RegExp(`--port PORT .*Default: ${ports.get("http")}\\.`));
    expect(ofKind("Service").spec.ports).toEqual([{ name: "http", port: 80, targetPort: "http" }]);
    expect(option(container.args, "metrics-port")).toBe(String(ports.get("metrics")));
  });

  test("the proxy of compose polls each instance, and its network is the trusted one", () => {
    const configured = composed.services["proxy"]?.environment["EVIDENCE_UPSTREAMS"]?.split(" ");
    expect(configured).toEqual(instances.map(([name]) => `${name}:8800`));
    const [{ subnet }] = composed.networks.front.ipam.config;
    expect(instances.map(([, { command }]) => option(command, "trusted-proxies"))).toEqual([subnet, subnet]);
    const neighbors = Object.entries(composed.services).filter(([, { networks }]) =>
      networks.includes("front"),
    );
    expect(neighbors.map(([name]) => name)).toEqual([...instances.map(([name]) => name), "proxy"]);
  });

  test("health checks use existing paths", async () => {
    const { readinessProbe, livenessProbe } = container;
    const [, path = ""] =
      /fetch\("http:\/\/127\.0\.0\.1:8800(\/\w+)"\)/.exec(instances[0]?.[1].healthcheck?.test.at(-1) ?? "") ??
      [];
    const [, uri = ""] = /health_uri (\S+)/.exec(deploymentFile("Caddyfile")) ?? [];
    const configured = [
      readinessProbe.httpGet,
      livenessProbe.httpGet,
      { path, port: "http" },
      { path: uri, port: "http" },
    ];
    expect(configured.map((get) => get.path)).toEqual(["/ready", "/metrics", "/ready", "/ready"]);
    expect(await Promise.all(configured.map((get) => statusOf(get.path, get.port)))).toEqual([
      200, 200, 200, 200,
    ]);
  });

  test("stop timeouts exceed the drain time, and the balancer notices the drain in time", () => {
    const drains = commandLines.map(([, args]) => Number(option(args, "drain-seconds") ?? 0));
    const waits = [
      /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1],
      ...instances.map(([, { stop_grace_period }]) => /^(\d+)s$/.exec(stop_grace_period)?.[1]),
      pod.spec.terminationGracePeriodSeconds,
    ].map(Number);
    expect(waits.map((wait, at) => wait > (drains[at] ?? Infinity) + CLOSE_SECONDS)).toEqual(
      Array(4).fill(true),
    );
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(drains[3]).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  test("a container with a read-only disk has a folder for temporary files", () => {
    const writable = pod.spec.volumes.filter(({ emptyDir }) => emptyDir).map(({ name }) => name);
    const places = [
      ...instances.map(([, { read_only, tmpfs }]) => !read_only || tmpfs.includes("/tmp")),
      !container.securityContext.readOnlyRootFilesystem ||
        container.volumeMounts.some(({ name, mountPath }) => mountPath === "/tmp" && writable.includes(name)),
    ];
    expect(places).toEqual([true, true, true]);
  });

  test("a service without one, and without a data folder, says so", () => {
    const database = "postgres://nobody@127.0.0.1:1/none";
    const where = ["--port", "0", "--database-url", database, "--attachments", join(folder, "no-tmp")];
    const { status, stderr } = runProgram(["serve", ...where], { env: { TMPDIR: "/proc" } });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("The folder for temporary files, /proc, is not writable: "),
    ]);
  });

  test("every secret is mounted where it is read, and selectors match the pods", () => {
    const mounted = pod.spec.volumes.flatMap(({ name, secret }) => {
      const place = container.volumeMounts.find((mount) => mount.name === name)?.mountPath;
      return secret?.items.map(({ path }) => `${place}/${path}`) ?? [];
    });
    const read = [...container.args.join(" ").matchAll(/\/run\/secrets\/\S+/g)].map(([path]) => path);
    expect(read.sort()).toEqual(mounted.sort());
    for (const { command, secrets, volumes } of instances.map(([, instance]) => instance)) {
      expect(secrets.map((name) => SECRETS + name)).toEqual([option(command, "database-password-file")]);
      expect(volumes.map((volume) => volume.split(":").at(-1))).toEqual([
        option(command, "data"),
        option(command, "attachments"),
      ]);
    }
    const selectors = [
      ofKind("Deployment").spec.selector.matchLabels,
      ofKind("Service").spec.selector,
      ofKind("PodDisruptionBudget").spec.selector.matchLabels,
      ofKind("NetworkPolicy").spec.podSelector.matchLabels,
    ];
    expect(selectors).toEqual(Array(4).fill(pod.metadata.labels));
  });

  test("the Ingress leads to the Service, under the public name and with the settings of nginx.conf", () => {
    const { metadata, spec } = ofKind("Ingress");
    const [{ host, http }] = spec.rules;
    expect(`https://${host}`).toBe(option(container.args, "public-url"));
    expect(spec.tls.map(({ hosts }: { hosts: string[] }) => hosts)).toEqual([[host]]);
    const { name, port } = http.paths[0].backend.service;
    expect([name, port.name]).toEqual([
      ofKind("Service").metadata.name,
      ofKind("Service").spec.ports[0].name,
    ]);
    const [, megabytes] =
      /requests of (\d+) MB/.exec(readFileSync(`${root}docs/deployment.md`, "utf8")) ?? [];
    expect(metadata.annotations["nginx.org/client-max-body-size"]).toBe(`${megabytes}m`);
    for (const setting of ["proxy-connect-timeout", "proxy-read-timeout", "proxy-send-timeout"]) {
      const [, value] =
        new RegExp(`^ *${setting.replaceAll("-", "_")} (\\w+);`, "m").exec(deploymentFile("nginx.conf")) ??
        [];
      expect(metadata.annotations[`nginx.org/${setting}`], setting).toBe(value);
    }
    expect(metadata.annotations["nginx.org/proxy-buffering"]).toBe("False");
  });

  test("the NetworkPolicy admits the ports of the container, and lets the pods reach the database", () => {
    const { ingress, egress, policyTypes } = ofKind("NetworkPolicy").spec;
    const portsOf = (rules: { ports: { port: string | number }[] }[]) =>
      rules.flatMap((rule) => rule.ports.map(({ port }) => port));
    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    expect(portsOf(ingress).sort()).toEqual([...ports.keys()].sort());
    const database = new URL(option(container.args, "database-url") ?? "");
    expect(portsOf(egress)).toEqual([53, 53, Number(database.port), 443]);
  });
});

interface Check {
  readonly program: string;
  readonly probe: readonly string[];
  readonly args: (folder: string) => readonly string[];
}

/** Programs that know the format of a file. */
const checks: readonly Check[] = [
  {
    program: "systemd-analyze",
    probe: ["--version"],
    args: (folder) => {
      const path = join(folder, "delivery-evidence.service");
      // It checks whether the program exists.
      writeFileSync(path, replaced(unit, "/usr/local/bin/delivery-evidence", process.execPath));
      return ["verify", path];
    },
  },
  {
    program: "docker",
    probe: ["compose", "version"],
    args: () => ["compose", "--file", `${root}docs/deployment/compose.yaml`, "config", "--quiet"],
  },
  {
    program: "kubernetes-validate",
    probe: ["--version"],
    args: () => [
      ...["--strict", "--quiet"],
      ...["kubernetes.yaml", "kubernetes-network.yaml"].map((name) => `${root}docs/deployment/${name}`),
    ],
  },
];

describe.each(checks)("$program", ({ program, probe, args }) => {
  const isHere = has(program, ...probe);
  it(isHere ? "accepts the files" : "is not installed, so nothing was checked", () => {
    if (!isHere) return;
    const { status, stdout, stderr } = spawnSync(program, args(folder), { encoding: "utf8" });
    // systemd-analyze only warns of an unknown option, as it does for other units of the machine.
    const complaints = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("delivery-evidence"));
    expect({ status, complaints }, stderr).toEqual({ status: 0, complaints: [] });
  });
});
