import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InputError, NetworkError } from "../../src/api/client/errors.ts";
import { type ClusterOptions, readCluster } from "../../src/kubernetes/cluster.ts";
import { selectNamespaces } from "../../src/kubernetes/select.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { FAILING } from "./failing-kubectl.ts";

const FAKE = new URL("fake-kubectl.ts", import.meta.url).pathname;
let root: string;
let state: string;
let tempDir: string;
let warnings: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cluster "));
  const bin = join(root, "bin");
  state = join(root, "state");
  tempDir = join(root, "temp");
  for (const folder of [bin, state, tempDir]) mkdirSync(folder);
  const cached = `NODE_COMPILE_CACHE='${COMPILE_CACHE.NODE_COMPILE_CACHE}'`;
  writeFileSync(join(bin, "kubectl"), `#!/bin/sh\n${cached} exec '${process.execPath}' '${FAKE}' "$@"\n`);
  chmodSync(join(bin, "kubectl"), 0o755);
  warnings = [];
});

afterEach(() => {
  // No process or file may remain, even after a failure.
  expect(readdirSync(tempDir)).toEqual([]);
  expect(noted("pids").filter((pid) => isAlive(Number(pid)))).toEqual([]);
  rmSync(root, { recursive: true });
});

function noted(what: string): string[] {
  const path = join(state, what);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Cluster extends Partial<ClusterOptions> {
  pods?: number;
  fault?: string;
}

function read({ pods = 0, fault = "", ...options }: Cluster) {
  return readCluster({
    selection: selectNamespaces({}),
    env: {
      PATH: `${join(root, "bin")}:/usr/bin:/bin`,
      FAKE_STATE: state,
      FAKE_PODS: String(pods),
      FAKE_FAULT: fault,
    },
    tempDir,
    signal: new AbortController().signal,
    onWarning: (message) => warnings.push(message),
    retryDelay: 1,
    ...options,
  });
}

function failure(cluster: Cluster): Promise<unknown> {
  return read(cluster).then(
    () => {
      throw new Error("the list was read");
    },
    (error: unknown) => error,
  );
}

describe("a cluster that responds", () => {
  test("needs one kubectl and no proxy when it is small", async () => {
    const entries = await read({ pods: 10 });
    expect(entries).toHaveLength(10);
    expect(entries[0]).toEqual({
      podName: "pod-0",
      namespace: "ns-0",
      digests: { "reg.example/app:1": "a".repeat(64) },
      creationTimestamp: 1767323045,
      owners: [],
    });
    expect(noted("requests")).toEqual(["get /api/v1/pods?limit=500"]);
  });

  test("serves every further page through one proxy, with the token encoded, and sorts by namespace and name", async () => {
    const entries = await read({ pods: 35 });
    expect(entries).toHaveLength(35);
    expect(new Set(entries.map(({ podName }) => podName)).size).toBe(35);
    const names = entries.map(({ namespace, podName }) => `${namespace}/${podName}`);
    expect(names, "whatever the order of the pages").toEqual([...names].sort());
    expect(noted("requests")).toEqual([
      "get /api/v1/pods?limit=500",
      "proxy /api/v1/pods?limit=500&continue=token%2F%2B10",
      "proxy /api/v1/pods?limit=500&continue=token%2F%2B20",
      "proxy /api/v1/pods?limit=500&continue=token%2F%2B30",
    ]);
    expect(noted("pids")).toHaveLength(2);
  });

  test("returns a first page of megabytes complete", async () => {
    const entries = await read({ pods: 10, fault: "large" });
    expect(entries).toHaveLength(10);
  });

  test("serves every page through kubectl where unix sockets are missing", async () => {
    const entries = await read({ pods: 15, pagesBy: "raw" });
    expect(entries).toHaveLength(15);
    expect(noted("requests").map((request) => request.split(" ")[0])).toEqual(["get", "get"]);
  });

  test("is read despite a folder too deep for a socket", async () => {
    const deep = join(tempDir, "d".repeat(100));
    mkdirSync(deep);
    const entries = await read({ pods: 15, tempDir: deep });
    rmSync(deep, { recursive: true });
    expect(entries).toHaveLength(15);
  });

  test("lists namespaces given by name one by one, with a warning for one without pods", async () => {
    const selection = selectNamespaces({ namespaces: ["team-b", "missing", "team-a"] });
    const entries = await read({ pods: 15, selection });
    expect(new Set(entries.map(({ namespace }) => namespace))).toEqual(new Set(["team-a", "team-b"]));
    expect(entries).toHaveLength(30);
    expect(noted("requests").some((request) => request.includes("/api/v1/pods"))).toBe(false);
    expect(warnings).toEqual(["namespace 'missing' has no pods, or does not exist"]);
  });

  test("filters the list of all for namespaces given by expression", async () => {
    const entries = await read({
      pods: 30,
      selection: selectNamespaces({ namespacesRegex: ["-[12]$"] }),
    });
    expect(new Set(entries.map(({ namespace }) => namespace))).toEqual(new Set(["ns-1", "ns-2"]));
    expect(noted("requests")[0]).toBe("get /api/v1/pods?limit=500");
  });

  test("below a path is read through the proxy, which keeps the path", async () => {
    const entries = await read({ pods: 20, fault: "below a path" });
    expect(entries).toHaveLength(20);
    expect(noted("commands").at(-1)).toContain("--append-server-path=true");
  });

  test("is read with the kubeconfig and context as single arguments, and only the given variables", async () => {
    await read({ pods: 5, kubeconfig: "--a b", context: "c; touch x" });
    const [command] = noted("commands").map((line): string[] => JSON.parse(line));
    expect(command).toContain("--kubeconfig=--a b");
    expect(command).toContain("--context=c; touch x");
    const variables = Object.keys(JSON.parse(noted("environment").join("")));
    const fromShell = [
      "PWD",
      "OLDPWD",
      "SHLVL",
      "_",
      "__CF_USER_TEXT_ENCODING",
      ...Object.keys(COMPILE_CACHE),
    ];
    expect(variables.filter((name) => !fromShell.includes(name)).sort()).toEqual([
      "FAKE_FAULT",
      "FAKE_PODS",
      "FAKE_STATE",
      "PATH",
    ]);
  });

  test("is reached through a socket that serves lists of pods only", async () => {
    await read({ pods: 20 });
    const proxy: string[] = JSON.parse(noted("commands").at(-1) ?? "[]");
    const value = (name: string) =>
      proxy.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
    const matches = (list: string, text: string) =>
      list.split(",").some((each) => new RegExp(each).test(text));
    const accepts = (path: string) => matches(value("accept-paths"), path);
    expect(["/api/v1/pods", "/api/v1/namespaces/a/pods"].map(accepts)).toEqual([true, true]);
    const others = [
      "/api/v1/secrets",
      "/api/v1/namespaces/a/pods/p/exec",
      "/api/v1/namespaces/a/b/pods",
      "/x/api/v1/pods",
    ];
    expect(others.filter(accepts)).toEqual([]);
    const methods = [
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "HEAD",
      "OPTIONS",
      "GETS",
      "GE",
      "G",
      "get",
      "PROPGET",
    ];
    expect(methods.filter((method) => !matches(value("reject-methods"), method))).toEqual([]);
    expect(matches(value("reject-methods"), "GET")).toBe(false);
  });
});

/** Makes kubectl fail with this text. */
function failWith(stderr: string): void {
  writeFileSync(join(root, "bin", "kubectl"), `#!/bin/sh\n${FAILING}\n`);
  writeFileSync(join(state, "stderr"), stderr);
}

describe("a cluster that fails", () => {
  test("is retried for a page that fails once", async () => {
    const entries = await read({ pods: 200, fault: "page 7 once" });
    expect(entries).toHaveLength(200);
    expect(noted("requests")).toHaveLength(21);
  });

  test.each(["cut once", "half once"])(
    "is retried for a truncated page, and no part is kept (%s)",
    async (fault) => {
      const entries = await read({ pods: 40, fault });
      expect(entries).toHaveLength(40);
    },
  );

  test.each([
    { pagesBy: "proxy", page: 7 },
    { pagesBy: "raw", page: 2 },
  ] as const)(
    "is tried four times for a page that always fails, which fails the list ($pagesBy)",
    async ({ pagesBy, page }) => {
      const error = await failure({ pods: 200, fault: `page ${page} always`, pagesBy });
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        fault: "KUBECTL",
        message: expect.stringContaining("etcdserver: no leader"),
      });
      expect(noted("requests")).toHaveLength(page - 1 + 4);
    },
  );

  test("is not retried after a permanent error in mid-list", async () => {
    expect(await failure({ pods: 200, fault: "page 7 forbidden" })).toBeInstanceOf(InputError);
    expect(noted("requests")).toHaveLength(7);
  });

  test.each(["proxy", "raw"] as const)(
    "is listed again, once, when the list expires (%s)",
    async (pagesBy) => {
      const entries = await read({ pods: 30, fault: "expired once", pagesBy });
      expect(entries).toHaveLength(30);
      expect(noted("requests")).toHaveLength(3 + 3);
    },
  );

  test("fails when the list expires twice", async () => {
    const error = await failure({ pods: 40, fault: "expired always" });
    expect(error).toMatchObject({ fault: "KUBECTL", message: expect.stringContaining("token is too old") });
    expect(noted("requests")).toHaveLength(3 + 3);
  });

  test("is not reported as empty when the response is not a list", async () => {
    expect(await failure({ fault: "not a list" })).toMatchObject({
      message: expect.stringContaining("got Status"),
    });
  });

  test("fails with the proxy's message when the proxy cannot start", async () => {
    const error = await failure({ pods: 40, fault: "proxy ends" });
    expect(error).toMatchObject({ message: expect.stringContaining("unknown flag: --unix-socket") });
  });

  test("is reported as a missing kubectl when there is none", async () => {
    const error = await failure({ kubectl: "kubectl-that-is-not-there" });
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ message: expect.stringContaining("'kubectl-that-is-not-there'") });
  });

  test.each([
    {
      said: 'Error from server (Forbidden): pods is forbidden: User "ci" cannot list resource "pods" in API group "" at the cluster scope',
      input: "namespaces",
      advice:
        "Grant the verb 'list' on the resource 'pods' at the cluster scope, or set `namespaces` to those that it may read.",
    },
    {
      said: 'Error from server (Forbidden): pods is forbidden: User "ci" cannot list resource "pods" in API group "" in the namespace "a"',
      input: "namespaces",
      advice: "Grant the verb 'list' on the resource 'pods' in the namespace \"a\".",
    },
    {
      said: "error: You must be logged in to the server (Unauthorized)",
      input: "kubeconfig",
      advice: "log in",
    },
    {
      said: "Unable to connect to the server: getting credentials: exec: executable aws not found",
      input: "kubeconfig",
      advice: "login plugin",
    },
    {
      said: "error: stat /nope: no such file or directory",
      input: "kubeconfig",
      advice: "Set `kubeconfig` to the path of a file",
    },
    {
      said: "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
      input: "kubeconfig",
      advice: "Set `kubeconfig` to the path of a file",
    },
    { said: 'error: context "west" does not exist', input: "context", advice: "get-contexts" },
  ])(
    "reports kubectl's '$said' under the input $input and does not retry",
    async ({ said, input, advice }) => {
      failWith(`${said}\n`);
      const error = await failure({ context: "west" });
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({
        problems: [{ input, problem: expect.stringContaining(said) }],
        advice: expect.stringContaining(advice),
      });
      expect(noted("pids")).toHaveLength(1);
    },
  );

  test("is reported with the end of a long stderr, which has the reason", async () => {
    failWith(`${"E0101 memcache.go:265 retrying\n".repeat(5000)}error: the reason`);
    const error = await failure({});
    if (!(error instanceof NetworkError)) throw error;
    expect(error.message).toMatch(/error: the reason$/);
    expect(error.message.length).toBeLessThan(2_100);
  });
});

test("is abandoned when kubectl does not finish in time", async () => {
  const error = await failure({ pods: 5, fault: "hang", timeoutMs: 500 });
  expect(error).toBeInstanceOf(NetworkError);
  expect(String(error)).toContain("kubectl did not finish within 0.5 s");
  // On a busy machine it may be stopped before it records anything.
  expect(noted("pids").length).toBeLessThanOrEqual(1);
});

describe("an abort", () => {
  const reason = new Error("the deadline has passed");

  test("before the start does not run kubectl", async () => {
    expect(await failure({ pods: 5, signal: AbortSignal.abort(reason) })).toBe(reason);
    expect(noted("pids")).toEqual([]);
  });

  test.each([
    { when: "kubectl does not respond", fault: "hang" },
    { when: "the proxy does not begin to serve", fault: "proxy start hangs" },
    { when: "the proxy does not respond", fault: "proxy hangs" },
  ])("while $when ends it, and kills what ignores SIGTERM", async ({ fault }) => {
    const controller = new AbortController();
    const failed = failure({ pods: 40, fault, signal: controller.signal });
    while (!existsSync(join(state, "hanging"))) await delay(5);
    // While the socket exists, no other user can enter its folder.
    for (const folder of readdirSync(tempDir)) {
      expect(statSync(join(tempDir, folder)).mode & 0o777).toBe(0o700);
    }
    controller.abort(reason);
    expect(await failed).toBe(reason);
    expect(existsSync(join(state, "terminated"))).toBe(true);
  });

  test("while waiting to retry ends the wait", async () => {
    const controller = new AbortController();
    const failed = failure({
      pods: 200,
      fault: "page 7 always",
      retryDelay: 3_600_000,
      signal: controller.signal,
    });
    while (noted("requests").length < 7) await delay(5);
    controller.abort(reason);
    expect(await failed).toBe(reason);
  });
});
