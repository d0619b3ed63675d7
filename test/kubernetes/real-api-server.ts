import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { BUILT } from "../docs/charts.ts";

const isHere = (program: string) =>
  spawnSync(program, ["--version"], { env: BUILT, stdio: "ignore" }).status === 0;

/** Whether this machine has the programs. `scripts/lint-charts.sh --api-server` builds kube-apiserver. */
export const hasApiServer =
  isHere("etcd") &&
  isHere("kube-apiserver") &&
  spawnSync("kubectl", ["--help"], { stdio: "ignore" }).status === 0;

export const ISSUER = "https://kubernetes.default.svc.cluster.local";

export interface RealApiServer {
  readonly port: number;
  /** Runs kubectl as an administrator. */
  kubectl(args: readonly string[], input?: string): string;
  /** Runs it without blocking this process, which answers the API server meanwhile. */
  kubectlBeside(args: readonly string[], input: string): Promise<string>;
  /** The variables of a pod with this token. */
  podWith(token: string): Readonly<Record<string, string>>;
}

/** An API server with RBAC and its database, until the test ends. It has no nodes, so no pod starts. */
export async function realApiServer(): Promise<RealApiServer> {
  const folder = mkdtempSync(join(tmpdir(), "evidence-apiserver-"));
  const file = (name: string) => join(folder, name);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(file("sa.key"), pem.export({ type: "pkcs1", format: "pem" }));
  writeFileSync(file("tokens.csv"), "administrator,admin,1,system:masters\n");
  const [client, peer, port] = await Promise.all([freePort(), freePort(), freePort()]);
  const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
  const started: ChildProcess[] = [];
  const start = (program: string, args: string[]) => {
    started.push(spawn(program, args, { env: BUILT, stdio: "ignore" }));
  };
  onTestFinished(async () => {
    for (const each of started) {
      each.kill("SIGKILL");
      if (each.exitCode === null && each.signalCode === null) await once(each, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });
  start("etcd", [
    ...[`--data-dir=${file("etcd")}`, `--listen-client-urls=${urls.client}`, "--unsafe-no-fsync"],
    ...[`--advertise-client-urls=${urls.client}`, `--listen-peer-urls=${urls.peer}`],
    ...[`--initial-advertise-peer-urls=${urls.peer}`, `--initial-cluster=default=${urls.peer}`],
  ]);
  start("kube-apiserver", [
    ...[`--etcd-servers=${urls.client}`, `--secure-port=${port}`, `--cert-dir=${file("certificates")}`],
    ...["--bind-address=127.0.0.1", "--authorization-mode=RBAC", `--token-auth-file=${file("tokens.csv")}`],
    ...[`--service-account-issuer=${ISSUER}`, `--service-account-key-file=${file("sa.key")}`],
    ...[`--service-account-signing-key-file=${file("sa.key")}`, "--service-cluster-ip-range=10.0.0.0/24"],
    "--disable-admission-plugins=ServiceAccount",
  ]);
  const where = [`--server=https://127.0.0.1:${port}`, "--insecure-skip-tls-verify", "--token=administrator"];
  const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: "/dev/null" };
  const kubectl = (args: readonly string[], input = "") =>
    execFileSync("kubectl", [...where, ...args], { env, input, encoding: "utf8", stdio: "pipe" });
  for (let attempt = 0; ; attempt++) {
    try {
      kubectl(["get", "namespace", "default"]);
      break;
    } catch (error) {
      if (attempt === 100) throw error;
      await delay(300);
    }
  }
  return {
    port,
    kubectl,
    kubectlBeside: (args, input) =>
      new Promise((resolve, reject) => {
        const child = execFile("kubectl", [...where, ...args], { env }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        );
        child.stdin?.end(input);
      }),
    podWith(token) {
      writeFileSync(file("token"), token);
      writeFileSync(file("ca.crt"), readFileSync(file("certificates/apiserver.crt")));
      return {
        KUBERNETES_SERVICE_HOST: "127.0.0.1",
        KUBERNETES_SERVICE_PORT: String(port),
        EVIDENCE_SERVICE_ACCOUNT_DIR: folder,
      };
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
