/* A kubectl of a large cluster: BENCH_PODS pods of about 9.7 kB, in pages of 500, for `get --raw` and `proxy`. */
import { createServer } from "node:http";

const PAGE_SIZE = 500;
const MARK = "@page@";
const pods = Number(process.env["BENCH_PODS"]);
const [command, ...flags] = process.argv.slice(2);
const flag = (name: string) =>
  flags.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";

/** One page, created once. The others differ only by their number. */
const page = JSON.stringify({
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "1" },
  items: Array.from({ length: PAGE_SIZE }, (_, index) => podOf(index)),
});

function podOf(index: number) {
  const image = `reg.example/web-${index}:1`;
  const imageID = `reg.example/web@sha256:${index.toString(16).padStart(64, "0")}`;
  return {
    metadata: {
      name: `web-${MARK}-${index}`,
      namespace: `team-${index % 50}`,
      uid: `uid-${MARK}-${index}`,
      creationTimestamp: "2026-11-20T09:30:00Z",
      managedFields: [{ manager: "kubelet", fieldsV1: { text: "f:status ".repeat(980) } }],
    },
    spec: { containers: [{ name: "app", image }] },
    status: { phase: "Running", containerStatuses: [{ name: "app", image, imageID }] },
  };
}

function answer(address: string): string {
  const number = Number(new URL(address, "http://cluster").searchParams.get("continue") ?? "0");
  const isLast = (number + 1) * PAGE_SIZE >= pods;
  const next = isLast ? "" : `"continue":"${number + 1}",`;
  return page.replaceAll(MARK, String(number)).replace('"metadata":{', `"metadata":{${next}`);
}

if (command === "get") {
  process.stdout.write(answer(flag("raw")));
} else {
  const server = createServer((request, response) => response.end(answer(request.url ?? "")));
  server.listen(flag("unix-socket"), () => process.stdout.write("Starting to serve\n"));
}
