import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { call } from "../../src/api/client/call.ts";
import { ApiError, ProtocolError } from "../../src/api/client/errors.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { connectTo, failureOf } from "../api/connections.ts";
import { httpServer } from "../api/local-server.ts";
import { samples } from "../api/sample-requests.ts";

const { attestGeneric, downloadEvidence, listRepos } = operations;
const repos = JSON.stringify(samples.listRepos.answer.body);

/** A service behind a gateway that encodes responses without a request for it. */
function gateway(
  status: number,
  body: Buffer,
  encoding: string | readonly string[],
  type = "application/json",
) {
  return httpServer((response) => {
    response.setHeader("content-type", type).setHeader("content-encoding", encoding);
    response.writeHead(status).end(body);
  });
}

describe("a response with an unrequested encoding is decoded:", () => {
  test.each([
    ["gzip", gzipSync(repos), "gzip"],
    ["gzip by its old name", gzipSync(repos), "X-GZIP"],
    ["deflate", deflateSync(repos), "deflate"],
    ["deflate without its header", deflateRawSync(repos), "deflate"],
    ["br", brotliCompressSync(repos), "br"],
    ["none, under its name", Buffer.from(repos), "identity"],
    ["several, the last first", gzipSync(brotliCompressSync(deflateSync(repos))), "deflate, br ,gzip"],
    ["several in separate headers", brotliCompressSync(gzipSync(repos)), ["gzip", "br"]],
  ])("%s", async (_, body, encoding) => {
    const server = await gateway(200, body, encoding);
    const reply = await call(connectTo(server.url).connection, listRepos, {});
    expect(reply.body).toEqual(samples.listRepos.understood);
    expect(server.received[0]?.headers).not.toHaveProperty("accept-encoding");
  });

  test("that of an error, so that its cause is shown", async () => {
    const server = await gateway(404, gzipSync('{"message": "Flow named \'web\' does not exist"}'), "gzip");
    const error = await failureOf(ApiError, call(connectTo(server.url).connection, listRepos, {}));
    expect(error.message).toMatch(/^Flow named 'web' does not exist \(.*, listRepos, status 404\)$/);
  });

  test("that of a file, which may be larger than other responses", async () => {
    const content = Buffer.alloc(21 * 1024 * 1024, "x");
    const server = await gateway(200, gzipSync(content), "gzip", "text/plain");
    const { body } = await call(
      connectTo(server.url).connection,
      downloadEvidence,
      samples.downloadEvidence.request,
    );
    expect(content.equals(body.content)).toBe(true);
  });
});

describe("a response that cannot be decoded is reported as such, and never as a success:", () => {
  const bomb = gzipSync(Buffer.alloc(21 * 1024 * 1024));

  test.each([
    ["an unknown encoding", Buffer.from(repos), "zstd", "an unknown Content-Encoding: 'zstd'"],
    ["half of it", gzipSync(repos).subarray(0, 40), "gzip", "does not match its Content-Encoding: 'gzip'"],
    ["plain text", Buffer.from(repos), "br", "does not match its Content-Encoding: 'br'"],
    ["a bomb", bomb, "gzip", "larger than 20 MB"],
    ["a bomb in a bomb", brotliCompressSync(bomb), "gzip, br", "larger than 20 MB"],
    ["too many layers", Buffer.from(repos), "gzip, gzip, gzip, gzip, gzip", "encoded 5 times"],
  ])("%s", async (_, body, encoding, expected) => {
    const read = await gateway(200, body, encoding);
    const error = await failureOf(ProtocolError, call(connectTo(read.url).connection, listRepos, {}));
    expect(error.message).toContain(expected);
    expect(error.message).toMatch(/^the response .* \(127\.0\.0\.1:\d+, listRepos, status 200\)$/);
    expect(error.advice).toContain("in front of the service");

    const write = await gateway(201, body, encoding);
    const attested = call(connectTo(write.url).connection, attestGeneric, samples.attestGeneric.request);
    expect((await failureOf(ProtocolError, attested)).advice).toContain("may have been created");
    expect(write.received).toHaveLength(1);
  });

  test("with a temporary status, which is retried and counts as unavailable", async () => {
    const server = await gateway(503, Buffer.from("busy"), "zstd");
    const { connection } = connectTo(server.url, { retries: 1 });
    const error = await failureOf(ApiError, call(connection, listRepos, {}));
    expect(error).toMatchObject({ status: 503, attempts: 2, unavailable: true });
    expect(error.message).toContain("an unknown Content-Encoding: 'zstd'");
  });
});
