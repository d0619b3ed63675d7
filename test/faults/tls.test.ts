import { createServer } from "node:https";
import { describe, expect, test } from "vitest";
import { type Certificate, selfSigned } from "../api/certificates.ts";
import { json, listening } from "../api/local-server.ts";
import {
  contentService,
  each,
  expectFailure,
  expectSuccess,
  requestsOf,
  runSample,
  SAMPLES,
  type Sample,
} from "./samples.ts";
import { annotations } from "./step.ts";

/** A service over TLS that is content with everything. */
async function secureService(certificate: Certificate, sample: Sample) {
  let [requests, connections] = [0, 0];
  const server = createServer(certificate, (request, response) => {
    requests++;
    request.resume().on("end", () => json(response, 201, sample.answer(request.url ?? "")));
  });
  server.on("connection", () => connections++);
  server.on("tlsClientError", () => {});
  const port = await listening(server);
  return { port, url: `https://localhost:${port}`, requests: () => requests, connections: () => connections };
}

describe("a certificate", () => {
  test("of a private authority fails every action with the way out, which then leads to a success", async () => {
    const certificate = selfSigned(["localhost"]);
    await each(SAMPLES, async (sample) => {
      const server = await secureService(certificate, sample);
      const distrusted = await runSample(sample, { baseUrl: server.url });
      expectFailure(sample, distrusted, "the certificate is self-signed", "NODE_EXTRA_CA_CERTS");
      expect({ connections: server.connections(), requests: server.requests() }).toEqual({
        connections: 1,
        requests: 0,
      });
      const env = { NODE_EXTRA_CA_CERTS: certificate.path };
      expectSuccess(sample, await runSample(sample, { baseUrl: server.url, env }));
      expect(server.requests()).toBe(requestsOf(sample));
    });
  });

  test.each<[string, readonly string[], "valid" | "expired", string]>([
    ["for another host", ["other.example"], "valid", "the certificate is for another host"],
    ["that has expired", ["localhost"], "expired", "the certificate has expired"],
  ])("%s ends every action after one attempt", async (_, names, validity, said) => {
    const certificate = selfSigned(names, validity);
    await each(SAMPLES, async (sample) => {
      const server = await secureService(certificate, sample);
      const env = { NODE_EXTRA_CA_CERTS: certificate.path };
      expectFailure(sample, await runSample(sample, { baseUrl: server.url, env }), said);
      expect({ connections: server.connections(), requests: server.requests() }).toEqual({
        connections: 1,
        requests: 0,
      });
    });
  });
});

describe("a variable that tells Node whom to trust is warned of by every action", () => {
  test.each([
    ["names a file that is not there", "/nowhere/ca.pem", "/nowhere/ca.pem does not exist"],
    ["names a folder", "/tmp", "/tmp cannot be read (EISDIR)"],
    ["names a file without a certificate", "/etc/hostname", "/etc/hostname holds no certificate in PEM"],
  ])("when it %s", (_, path, said) =>
    each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      const env = { NODE_EXTRA_CA_CERTS: path };
      const step = await runSample(sample, { baseUrl: server.url, env });
      // Node itself says a word of it, where nobody looks.
      expectSuccess(sample, { ...step, stderr: "" });
      expect(annotations(step.stdout, "warning")).toEqual([
        expect.stringContaining(`NODE_EXTRA_CA_CERTS is of no use: `),
      ]);
      expect(step.stdout).toContain(said);
    }),
  );

  test("when it turns the check of certificates off", async () => {
    const certificate = selfSigned(["other.example"]);
    await each(SAMPLES, async (sample) => {
      const server = await secureService(certificate, sample);
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
      const step = await runSample(sample, { baseUrl: server.url, env });
      expectSuccess(sample, { ...step, stderr: "" });
      expect(annotations(step.stdout, "warning")).toEqual([
        expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates are not checked"),
      ]);
    });
  });
});

describe("the wrong scheme is told by every action in words that help:", () => {
  test("https:// to a port that speaks plain HTTP", () =>
    each(SAMPLES, async (sample) => {
      const server = await contentService(sample);
      const step = await runSample(sample, { baseUrl: server.url.replace("http:", "https:") });
      expectFailure(sample, step, "the server does not speak TLS on this port", "should begin with http://");
      expect(step.stdout).not.toContain("ERR_SSL");
    }));

  test("http:// to a port that speaks TLS", async () => {
    const certificate = selfSigned(["localhost"]);
    await each(SAMPLES, async (sample) => {
      const { url } = await secureService(certificate, sample);
      const baseUrl = url.replace("https:", "http:");
      const step = await runSample(sample, { baseUrl, inputs: { retries: "0" } });
      expectFailure(sample, step, "should begin with https://");
      expect(annotations(step.stdout)[0]).not.toMatch(/failed: other side closed/);
    });
  });
});
