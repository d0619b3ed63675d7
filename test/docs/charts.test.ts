import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { OPERATOR_COMMANDS } from "../../src/cli/operator/commands.ts";
import { readEnvironments } from "../../src/cli/reporter/environments.ts";
import { parse as parseCommand } from "../../src/cli/usage.ts";
import { WATCH } from "../../src/cli/watch-options.ts";
import { hasHelm, type Rendered, rendered } from "./charts.ts";
import { allBlocks } from "./pages.ts";
import { shapeOf } from "./shapes.ts";

const ENVIRONMENTS = [{ name: "production", namespaces: ["shop", "payments"] }];
const REPORTER = {
  baseUrl: "https://evidence.example.com",
  reporterConfig: { kosliOrg: "acme", environments: ENVIRONMENTS },
};
const SERVICE = { publicUrl: "https://evidence.example.com" };

/** The objects of a kind, whatever they contain. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every shape.
function only({ objects }: Rendered, kind: string): any {
  const found = objects.filter((each) => each.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
}

function kinds({ objects }: Rendered): string[] {
  return objects
    .map(({ kind, metadata: { namespace } }) => (namespace ? `${kind} in ${namespace}` : kind))
    .sort();
}

/** Renders a chart to objects of these kinds, sorted, and nothing else. */
function renderedAs(name: string, values: object, expected: readonly string[]): Rendered {
  const chart = rendered(name, values);
  expect({ status: chart.status, stderr: chart.stderr }).toEqual({ status: 0, stderr: "" });
  expect(kinds(chart)).toEqual(expected);
  return chart;
}

/** The environments as the reporter reads them. */
async function environmentsOf(chart: Rendered) {
  const folder = mkdtempSync(join(tmpdir(), "charts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "environments.yml");
  writeFileSync(file, only(chart, "ConfigMap").data["environments.yml"]);
  return readEnvironments(file);
}

function container(chart: Rendered) {
  return only(chart, "Deployment").spec.template.spec.containers[0];
}

describe.skipIf(!hasHelm)("the chart of the reporter", () => {
  test("reports with a projected token by default, and may only list and watch pods", () => {
    const chart = renderedAs("k8s-reporter", REPORTER, [
      "ClusterRole",
      "ClusterRoleBinding",
      "ConfigMap",
      "Deployment",
      "Service",
      "ServiceAccount",
    ]);
    expect(only(chart, "ClusterRole").rules).toEqual([
      { apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] },
    ]);
    const { spec } = only(chart, "Deployment").spec.template;
    expect(spec.volumes[1].projected.sources).toEqual([
      {
        serviceAccountToken: {
          path: "token",
          audience: "https://evidence.example.com/acme",
          expirationSeconds: 3600,
        },
      },
    ]);
    const { env, securityContext } = container(chart);
    expect(env).toEqual([{ name: "EVIDENCE_TOKEN_FILE", value: "/var/run/secrets/evidence/token" }]);
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 1000,
    });
  });

  test("gives the reporter options and a file that it understands", async () => {
    const environments = [
      ...ENVIRONMENTS,
      { name: "rest", excludeNamespacesRegex: ["^kube-"], allowEmpty: true, createEnvironment: true },
    ];
    const reporterConfig = { ...REPORTER.reporterConfig, environments, dryRun: true };
    const chart = rendered("k8s-reporter", { ...REPORTER, reporterConfig });
    const { values } = parseCommand(container(chart).args, "watch", WATCH);
    expect(values).toMatchObject({
      config: "/etc/reporter/environments.yml",
      "base-url": "https://evidence.example.com",
      interval: "300",
      debounce: "5",
      "dry-run": true,
    });
    const read = await environmentsOf(chart);
    expect(read.map(({ selection: _, ...each }) => each)).toEqual([
      { name: "production", allowEmpty: false, create: false },
      { name: "rest", allowEmpty: true, create: true },
    ]);
    expect(read[0]?.selection.exactly).toEqual(["payments", "shop"]);
    expect(["kube-system", "shop"].map((name) => read[1]?.selection.includes(name))).toEqual([false, true]);
  });

  test("takes the values of its page", async () => {
    const [block] = allBlocks("yaml").filter((each) => shapeOf(each) === "reporter-values");
    const chart = rendered("k8s-reporter", parse(block?.text ?? ""));
    expect({ status: chart.status, stderr: chart.stderr }).toEqual({ status: 0, stderr: "" });
    expect((await environmentsOf(chart)).map(({ name }) => name)).toEqual(["production"]);
  });

  test("grants rights in the named namespaces only, if the scope is namespace", () => {
    const serviceAccount = { permissionScope: "namespace" };
    const chart = rendered("k8s-reporter", { ...REPORTER, serviceAccount });
    expect(kinds(chart).filter((kind) => kind.includes("Role"))).toEqual([
      "Role in payments",
      "Role in shop",
      "RoleBinding in payments",
      "RoleBinding in shop",
    ]);
  });

  test("takes the values of the peer's chart", async () => {
    const moved = `
image: { pullPolicy: Always }
serviceAccount: { create: true, permissionScope: cluster, annotations: {}, name: kosli }
cronSchedule: "*/10 * * * *"
concurrencyPolicy: Replace
successfulJobsHistoryLimit: 3
failedJobsHistoryLimit: 1
podLabels: { team: platform }
kosliApiToken: { secretName: kosli-api-token, secretKey: key }
reporterConfig:
  kosliOrg: acme
  kosliEnvironmentName: production
  namespaces: shop,payments
  dryRun: false
  httpProxy: http://proxy.example.com:3128
  securityContext: { allowPrivilegeEscalation: false, runAsNonRoot: true, runAsUser: null }
env: { KOSLI_HOST: https://evidence.example.com }
extraEnvVars: [{ name: TZ, value: UTC }]
extraVolumes: [{ name: more, emptyDir: {} }]
extraVolumeMounts: [{ name: more, mountPath: /more }]
customCA: { enabled: true, secretName: corporate-ca, key: ca.crt }
podAnnotations: { note: a }
podTemplateAnnotations: { note: b }
nodeSelector: { pool: stable }
tolerations: [{ key: dedicated, operator: Exists }]
affinity: {}
resources: { requests: { memory: 64Mi }, limits: { memory: 256Mi, cpu: 100m } }
`;
    const chart = rendered("k8s-reporter", parse(moved));
    expect({ status: chart.status, stderr: chart.stderr }).toEqual({ status: 0, stderr: "" });
    const { args, env, securityContext, volumeMounts } = container(chart);
    expect(args).toContain("--interval=600");
    expect(args).toContain("--base-url=https://evidence.example.com");
    expect(env.map(({ name }: { name: string }) => name)).toEqual([
      "EVIDENCE_API_KEY",
      "HTTPS_PROXY",
      "HTTP_PROXY",
      "NODE_EXTRA_CA_CERTS",
      "TZ",
    ]);
    expect(securityContext.runAsUser).toBeUndefined();
    expect(volumeMounts.map(({ name }: { name: string }) => name)).toEqual([
      "environments",
      "custom-ca",
      "more",
    ]);
    const [production] = await environmentsOf(chart);
    expect(production?.selection.exactly).toEqual(["payments", "shop"]);
  });

  test.each([
    ["an unknown key", { replicaCount: 2 }, "additional properties 'replicaCount' not allowed"],
    [
      "an unknown field of an environment",
      { reporterConfig: { kosliOrg: "acme", environments: [{ name: "a", namespace: "b" }] } },
      "additional properties 'namespace' not allowed",
    ],
    ["no environment", { reporterConfig: { kosliOrg: "acme" } }, "reporterConfig.environments is required"],
    [
      "no organization",
      { reporterConfig: { environments: ENVIRONMENTS } },
      "reporterConfig.kosliOrg is required",
    ],
    ["no address", { baseUrl: "" }, "baseUrl is required"],
    [
      "the peer's image",
      { image: { repository: "ghcr.io/kosli-dev/cli" } },
      "image.repository names another program",
    ],
    [
      "expressions with rights for named namespaces",
      {
        serviceAccount: { permissionScope: "namespace" },
        reporterConfig: { kosliOrg: "acme", environments: [{ name: "a", namespacesRegex: ["b"] }] },
      },
      "needs serviceAccount.permissionScope: cluster",
    ],
  ])("refuses %s", (_, values, message) => {
    const { status, stderr } = rendered("k8s-reporter", { ...REPORTER, ...values });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });
});

describe.skipIf(!hasHelm)("the chart of the service", () => {
  const MANY = {
    ...SERVICE,
    ...{ replicas: 2, attachments: "s3://evidence-of-acme/attachments", awsRegion: "eu-central-1" },
    database: {
      url: "postgres://evidence@database.example.com:5432/evidence?sslmode=verify-full",
      passwordSecret: { name: "database", key: "password" },
      certificateKey: "ca.crt",
    },
    ingress: { enabled: true, className: "nginx", tlsSecret: "tls" },
    networkPolicy: { enabled: true, databaseCidr: "10.20.0.0/24" },
    secretKeySecret: { name: "secret-key", key: "secret-key" },
    adminKeySecret: { name: "first-start", key: "admin-key" },
  };

  test("keeps its records on a volume of one pod by default", () => {
    const chart = renderedAs("delivery-evidence", SERVICE, [
      "Deployment",
      "PersistentVolumeClaim",
      "Service",
      "ServiceAccount",
    ]);
    const { spec } = only(chart, "Deployment");
    expect({ replicas: spec.replicas, strategy: spec.strategy }).toEqual({
      replicas: 1,
      strategy: { type: "Recreate" },
    });
  });

  test("runs several pods with a database and a bucket", () => {
    const chart = renderedAs("delivery-evidence", MANY, [
      "Deployment",
      "Ingress",
      "NetworkPolicy",
      "PodDisruptionBudget",
      "Service",
      "ServiceAccount",
    ]);
    expect(only(chart, "Ingress").spec.rules[0].host).toBe("evidence.example.com");
  });

  test.each([
    ["one pod", SERVICE],
    ["several", MANY],
  ])("gives the service options that it understands, for %s", (_, values) => {
    const [command, ...args] = container(rendered("delivery-evidence", values)).args;
    expect(command).toBe("serve");
    expect(parseCommand(args, "serve", OPERATOR_COMMANDS.serve).positionals).toEqual([]);
  });

  test.each([
    ["no address", {}, "publicUrl is required"],
    ["several pods on one volume", { ...SERVICE, replicas: 2 }, "more than one needs database.url"],
    [
      "several pods without a bucket",
      { ...MANY, attachments: "/data" },
      "more than one needs attachments in a bucket",
    ],
    [
      "a database without attachments",
      { ...SERVICE, database: MANY.database },
      "attachments is required with database.url",
    ],
    ["an unknown key", { ...SERVICE, replicaCount: 2 }, "additional properties 'replicaCount' not allowed"],
  ])("refuses %s", (_, values, message) => {
    const { status, stderr } = rendered("delivery-evidence", values);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });
});
