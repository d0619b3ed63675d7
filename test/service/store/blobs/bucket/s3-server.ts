import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Keys, signatureFault } from "./signature.ts";

/** The fault of the next request of a method. */
type Fault =
  /** None: it is answered. */
  | { kind: "none" }
  | { kind: "status"; status: number; code: string }
  /** The connection ends without a response. */
  | { kind: "reset" }
  /** No response, and no effect. */
  | { kind: "silence" }
  /** The request takes effect, without a response. */
  | { kind: "no answer" }
  /** The body breaks off in its middle. */
  | { kind: "cut" }
  /** The body differs from the stored one. */
  | { kind: "corrupt" };

/** A small object store that speaks S3, checks all signatures and checksums, and fails on request. */
export interface S3Server {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Time of the last write of each object, in ms. */
  readonly writtenAt: Map<string, number>;
  /** The requests so far: `PUT /bucket/key`. */
  readonly requests: string[];
  readonly keys: Keys[];
  /** Features that it lacks, as some stores do. */
  readonly lacks: Set<"conditions" | "checksums" | "comparisons">;
  fail(method: string, ...faults: Fault[]): void;
  close(): Promise<void>;
}

export const BUCKET = "evidence";
export const REGION = "eu-central-1";
export const KEYS: Keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCY" };
/** Few enough that a list takes several requests. */
const KEYS_PER_LIST = 3;

const MESSAGES: Record<string, string> = {
  SignatureDoesNotMatch: "The request signature we calculated does not match the signature you provided.",
};

export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const writtenAt = new Map<string, number>();
  const requests: string[] = [];
  const keys = [KEYS];
  const lacks: S3Server["lacks"] = new Set();
  const checksums = new Map<string, string>();
  const faults = new Map<string, Fault[]>();

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      if (!incoming.destroyed) refuse(response, 500, "InternalError", String(error));
    });
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "/", headers } = incoming;
    requests.push(`${method} ${target}`);
    // Faults are for the requests of a test, not for the sweep at the start of a service.
    const isSweep = target.endsWith("/sweep.json") || target.includes("list-type=");
    const fault = isSweep ? undefined : faults.get(method)?.shift();
    if (fault?.kind === "reset") {
      incoming.socket.destroy();
      return;
    }
    if (fault?.kind === "silence") return;
    const body = await buffer(incoming);
    if (fault?.kind === "status") return refuse(response, fault.status, fault.code);
    const wrong = signatureFault({ method, target, headers }, keys, REGION);
    if (wrong !== undefined) return refuse(response, 403, wrong, MESSAGES[wrong]);
    const sha256 = createHash("sha256").update(body);
    if (headers["x-amz-content-sha256"] !== sha256.copy().digest("hex")) {
      return refuse(response, 400, "XAmzContentSHA256Mismatch");
    }
    const url = new URL(target, "http://store");
    const [, bucket, ...path] = url.pathname.split("/");
    const key = decodeURIComponent(path.join("/"));
    if (bucket !== BUCKET) return refuse(response, 404, "NoSuchBucket");
    if (key === "") return list(url.searchParams, response);
    const found = objects.get(key);
    if (method === "PUT") {
      if (headers["if-none-match"] === "*" && found && !lacks.has("conditions")) {
        return refuse(response, 412, "PreconditionFailed");
      }
      const match = headers["if-match"];
      if (match !== undefined && !lacks.has("conditions")) {
        if (!found) return refuse(response, 404, "NoSuchKey");
        if (match !== tagOf(found)) return refuse(response, 412, "PreconditionFailed");
      }
      const checksum = headers["x-amz-checksum-sha256"];
      if (checksum !== undefined && checksum !== sha256.digest("base64"))
        return refuse(response, 400, "BadDigest");
      objects.set(key, body);
      checksums.set(key, createHash("sha256").update(body).digest("base64"));
      writtenAt.set(key, Date.now());
      if (fault?.kind === "no answer") return;
      response.writeHead(200).end();
      return;
    }
    if (method === "DELETE") {
      objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    if (!found) return refuse(response, 404, "NoSuchKey");
    const actual = createHash("sha256").update(found).digest("base64");
    // Some stores record it at the upload, and never compare it again.
    const checksum = lacks.has("comparisons") ? (checksums.get(key) ?? actual) : actual;
    const stored =
      headers["x-amz-checksum-mode"] === "ENABLED" && !lacks.has("checksums")
        ? { "x-amz-checksum-sha256": checksum }
        : {};
    const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
    const start = Number(from ?? 0);
    if (start >= found.length && from !== undefined) return refuse(response, 416, "InvalidRange");
    const range =
      from === undefined ? {} : { "content-range": `bytes ${from}-${found.length - 1}/${found.length}` };
    const content = Buffer.from(found.subarray(start));
    if (fault?.kind === "corrupt") content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    const status = from === undefined ? 200 : 206;
    const about = { etag: tagOf(found), "last-modified": new Date(writtenAt.get(key) ?? 0).toUTCString() };
    response.writeHead(status, { "content-length": content.length, ...about, ...stored, ...range });
    if (method === "HEAD") response.end();
    else if (fault?.kind !== "cut") response.end(content);
    else
      response.write(content.subarray(0, content.length >> 1), () =>
        setTimeout(() => response.destroy(), 20),
      );
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const after = query.get("continuation-token") ?? "";
    const all = [...objects.keys()]
      .filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after)
      .sort();
    const page = all.slice(0, KEYS_PER_LIST);
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    const more =
      all.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(`<?xml version="1.0"?><ListBucketResult>${contents}${more}</ListBucketResult>`);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    writtenAt,
    requests,
    keys,
    lacks,
    fail: (method, ...next) => void faults.set(method, [...(faults.get(method) ?? []), ...next]),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function tagOf(content: Buffer): string {
  return `"${createHash("md5").update(content).digest("hex")}"`;
}

function refuse(response: ServerResponse, status: number, code: string, message = code): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}
