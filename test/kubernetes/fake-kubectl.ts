/*
 * A kubectl without a cluster: supports `get --raw` and `proxy --unix-socket`, and fails on request. Variables
 * configure it: FAKE_STATE is a folder for its records, FAKE_PODS the size of the cluster, FAKE_FAULT the fault to
 * simulate.
 */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";

const PODS_PER_PAGE = 10;
const { FAKE_STATE: state = "", FAKE_PODS: pods = "0", FAKE_FAULT: fault = "" } = process.env;
const [command, ...flags] = process.argv.slice(2);

function flag(name: string): string {
  return flags.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
}

function status(code: number, reason: string, message: string) {
  return {
    code,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code },
  };
}

/** True on the first call, across all processes. */
function first(what: string): boolean {
  const path = `${state}/${what}`;
  if (existsSync(path)) return false;
  writeFileSync(path, "");
  return true;
}

function answer(address: string) {
  appendFileSync(`${state}/requests`, `${command} ${address}\n`);
  const url = new URL(address, "http://cluster");
  const namespace = /^\/api\/v1\/namespaces\/([^/]+)\/pods$/.exec(url.pathname)?.[1];
  if (namespace === "missing") return { code: 200, body: { kind: "PodList", metadata: {}, items: [] } };
  const start = Number(url.searchParams.get("continue")?.replace("token/+", "") ?? "0");
  const page = start / PODS_PER_PAGE + 1;
  if (fault === `page ${page} always`) return status(500, "InternalError", "etcdserver: no leader");
  if (fault === "page 7 once" && page === 7 && first("page-7"))
    return status(503, "ServiceUnavailable", "overload");
  if (fault === "page 7 forbidden" && page === 7)
    return status(403, "Forbidden", "pods is forbidden: changed");
  if (fault === "expired once" && page === 3 && first("expired"))
    return status(410, "Expired", "token is too old");
  if (fault === "expired always" && page === 3) return status(410, "Expired", "token is too old");
  const endless = {
    resourceVersion: "1",
    continue: fault === "same page again" ? "token/+10" : `token/+${start + 10}`,
  };
  if (fault === "same page again" || fault === "no end")
    return { code: 200, body: { kind: "PodList", apiVersion: "v1", metadata: endless, items: [] } };
  if (fault === "endless page" && page === 2) return { code: 200, body: "x".repeat(200 * 1024 * 1024) };
  if (fault === "not a list") return { code: 200, body: { kind: "Status", status: "Success" } };
  const end = Math.min(start + PODS_PER_PAGE, Number(pods));
  // Pods that are created and deleted while pages are read shift others from page to page.
  const from = fault === "pages overlap" ? Math.max(0, start - 3) : start;
  const items = Array.from({ length: end - from }, (_, index) => pod(from + index, namespace));
  const padding = fault === "large" ? "äöü €,".repeat(500_000) : "";
  const metadata = {
    resourceVersion: "1",
    padding,
    ...(end < Number(pods) && { continue: `token/+${end}` }),
  };
  return { code: 200, body: { kind: "PodList", apiVersion: "v1", metadata, items } };
}

function pod(number: number, namespace = `ns-${number % 3}`) {
  return {
    metadata: {
      name: `pod-${number}`,
      namespace,
      uid: `uid-${namespace}-${number}`,
      creationTimestamp: "2026-01-02T03:04:05Z",
    },
    spec: { containers: [{ name: "app", image: "reg.example/app:1" }] },
    status: {
      phase: "Running",
      containerStatuses: [
        { name: "app", image: "reg.example/app:1", imageID: `reg.example/app@sha256:${"a".repeat(64)}` },
      ],
    },
  };
}

function get(): void {
  if (fault === "hang") {
    writeFileSync(`${state}/hanging`, "");
    setInterval(() => {}, 1000);
    return;
  }
  if (fault === "below a path") {
    process.stderr.write("Error from server (NotFound): the server could not find the requested resource\n");
    process.exitCode = 1;
    return;
  }
  const { code, body } = answer(flag("raw"));
  if (code === 200) process.stdout.write(JSON.stringify(body));
  else {
    const { reason, message } = body as { reason: string; message: string };
    process.stderr.write(`Error from server (${reason}): ${message}\n`);
    process.exitCode = 1;
  }
}

async function proxy(): Promise<void> {
  if (fault === "proxy ends") {
    process.stderr.write("error: unknown flag: --unix-socket\n");
    process.exitCode = 1;
    return;
  }
  if (fault === "proxy start hangs") {
    writeFileSync(`${state}/hanging`, "");
    setInterval(() => {}, 1000);
    return;
  }
  // Like kubectl: comma-separated expressions, the first match of which decides.
  const matches = (list: string, text: string) => list.split(",").some((each) => new RegExp(each).test(text));
  // A list needs no server, and loading it takes as long as Node's own start.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const { method = "", url = "" } = request;
    const path = url.split("?", 1)[0] ?? "";
    if (matches(flag("reject-methods"), method) || !matches(flag("accept-paths"), path)) {
      response.writeHead(403).end("<h3>Forbidden</h3>");
      return;
    }
    if (fault === "proxy hangs") {
      writeFileSync(`${state}/hanging`, "");
      return;
    }
    const { code, body } = answer(url);
    const text = JSON.stringify(body);
    if (fault === "cut once" && first("cut")) {
      response.writeHead(200, { "content-length": text.length });
      response.write(text.slice(0, 100), () => response.destroy());
      return;
    }
    if (fault === "half once" && first("half")) {
      response.writeHead(200).end(text.slice(0, text.length / 2));
      return;
    }
    response.writeHead(code, { "content-type": "application/json" }).end(text);
  });
  server.listen(flag("unix-socket"), () =>
    process.stdout.write(`Starting to serve on ${flag("unix-socket")}\n`),
  );
}

appendFileSync(`${state}/pids`, `${process.pid}\n`);
writeFileSync(`${state}/environment`, JSON.stringify(process.env));
appendFileSync(`${state}/commands`, `${JSON.stringify([command, ...flags])}\n`);
if (fault.includes("hang")) process.on("SIGTERM", () => writeFileSync(`${state}/terminated`, ""));
if (command === "get") get();
else if (command === "proxy") await proxy();
else if (command === "config" && flags[0] === "view") process.stdout.write("shop-prod\ncluster-eu\n");
