/*
 * A bucket of OBJECTS objects of 10 kB, which answers each request after LATENCY_MS. Prints its port, and on
 * SIGTERM the greatest number of objects that were requested at a time.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const OBJECTS = Number(process.env["OBJECTS"]);
const LATENCY_MS = Number(process.env["LATENCY_MS"]);
const PAGE = 1000;
const CONTENT = Buffer.alloc(10_000, 7);
const ETAG = '"0123456789abcdef0123456789abcdef"';

let inFlight = 0;
let most = 0;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket");
  if (pathname === "/site/") {
    response.end(page(Number(searchParams.get("continuation-token") ?? 0)));
    return;
  }
  most = Math.max(most, ++inFlight);
  setTimeout(() => {
    inFlight--;
    response.end(CONTENT);
  }, LATENCY_MS);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.on("SIGTERM", () => {
  process.stdout.write(`${most}\n`, () => process.exit());
});

function page(from: number): string {
  const end = Math.min(from + PAGE, OBJECTS);
  const keys = Array.from({ length: end - from }, (_, index) => keyOf(from + index));
  const contents = keys.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2026-11-20T09:30:00.000Z</LastModified><ETag>${ETAG.replaceAll('"', "&quot;")}</ETag><Size>10000</Size></Contents>`,
  );
  const next = end < OBJECTS ? `<NextContinuationToken>${end}</NextContinuationToken>` : "";
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${end < OBJECTS}</IsTruncated>${contents.join("")}${next}</ListBucketResult>`;
}

/** In folders of a hundred, in the order of a bucket. */
function keyOf(index: number): string {
  const number = String(index).padStart(6, "0");
  return `assets/${number.slice(0, 4)}/file-${number}.js`;
}
