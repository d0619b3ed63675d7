import { createServer } from "node:https";
import { describe, expect, test } from "vitest";
import { type Certificate, selfSigned } from "../api/certificates.ts";
import { json, listening } from "../api/local-server.ts";
import { contentService, expectFailure, expectSuccess, runSampleBundle, sampleOf } from "./samples.ts";
import { annotations } from "./step.ts";

const attest = sampleOf("attest");

/** A service over TLS that accepts everything. */
async function secureService(certificate: Certificate) {
  let [requests, connections] = [0, 0];
  const server = createServer(certificate, (request, response) => {
    requests++;
    request.resume().on("end", () => json(response, 201, "OK"));
  });
  server.on("connection", () => connections++);
  server.on("tlsClientError", () => {});
  const port = await listening(server);
  return { url: `https://localhost:${port}`, seen: () => ({ requests, connections }) };
}

test("a certificate of a private authority fails a step after one attempt with a fix that works", async () => {
  const certificate = selfSigned(["localhost"]);
  const server = await secureService(certificate);
  const distrusted = await runSampleBundle(attest, { baseUrl: server.url });
  expectFailure(attest, distrusted, "the certificate is self-signed", "NODE_EXTRA_CA_CERTS");
  expect(server.seen()).toEqual({ requests: 0, connections: 1 });
  const env = { NODE_EXTRA_CA_CERTS: certificate.path };
  expectSuccess(attest, await runSampleBundle(attest, { baseUrl: server.url, env }));
  expect(server.seen().requests).toBe(1);
});

describe("a variable that changes Node's trust causes a warning", () => {
  test("when it names an invalid certificate", async () => {
    const server = await contentService(attest);
    const env = { NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem" };
    const step = await runSampleBundle(attest, { baseUrl: server.url, env });
    // Node prints its own message, where few users look.
    expectSuccess(attest, { ...step, stderr: "" });
    expect(annotations(step.stdout, "warning")).toEqual([
      expect.stringMatching(/^NODE_EXTRA_CA_CERTS has no effect: .*\/nowhere\/ca\.pem does not exist/),
    ]);
  });

  test("when it turns certificate checks off", async () => {
    const server = await secureService(selfSigned(["other.example"]));
    const step = await runSampleBundle(attest, {
      baseUrl: server.url,
      env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    });
    expectSuccess(attest, { ...step, stderr: "" });
    expect(annotations(step.stdout, "warning")).toEqual([
      expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates are not checked"),
    ]);
  });
});
