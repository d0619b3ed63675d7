import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { call } from "../../src/api/client/call.ts";
import { NetworkError, TimeoutError } from "../../src/api/client/errors.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { type Certificate, selfSigned } from "./certificates.ts";
import { connectTo, failureOf, shownText } from "./connections.ts";
import { forwardProxy } from "./forward-proxy.ts";
import { closedPort, httpServer, json, listening, tcpServer } from "./local-server.ts";
import { samples } from "./sample-requests.ts";

const { attestGeneric, listRepos } = operations;
const attestation = samples.attestGeneric.request;
const usual = getCACertificates("default");
// Reading all of the usual ones takes 20 ms.
afterEach(() => setDefaultCACertificates([]));
afterAll(() => setDefaultCACertificates(usual));

function trust({ cert }: Certificate): void {
  setDefaultCACertificates([cert.toString()]);
}

async function httpsServer(certificate: Certificate) {
  let requests = 0;
  let handshakes = 0;
  const server = createServer(certificate, (request, response) => {
    requests++;
    request.resume().on("end", () => json(response, 201, "OK"));
  });
  server.on("connection", () => handshakes++);
  server.on("tlsClientError", () => {});
  return { port: await listening(server), requests: () => requests, connections: () => handshakes };
}

describe("TLS", () => {
  test("works when the certificate is trusted", async () => {
    const certificate = selfSigned(["localhost"]);
    trust(certificate);
    const { port } = await httpsServer(certificate);
    const reply = await call(connectTo(`https://localhost:${port}`).connection, attestGeneric, attestation);
    expect(reply.status).toBe(201);
  });

  test("of an unknown authority is one attempt, and the solution is named", async () => {
    const { port, connections, requests } = await httpsServer(selfSigned(["localhost"]));
    const { connection, waits } = connectTo(`https://localhost:${port}`);
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect([error.code, error.fault]).toEqual(["network.tls_failed", "DEPTH_ZERO_SELF_SIGNED_CERT"]);
    expect(error.advice).toContain("NODE_EXTRA_CA_CERTS");
    expect({ waits, connections: connections(), requests: requests() }).toEqual({
      waits: [],
      connections: 1,
      requests: 0,
    });
  });

  test("for another host is one attempt", async () => {
    const certificate = selfSigned(["other.example"]);
    trust(certificate);
    const { port, requests } = await httpsServer(certificate);
    const { connection, waits } = connectTo(`https://localhost:${port}`);
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.message).toContain("the certificate is for another host");
    expect({ waits, requests: requests() }).toEqual({ waits: [], requests: 0 });
  });

  test("with a certificate that has expired is one attempt", async () => {
    const certificate = selfSigned(["localhost"], "expired");
    trust(certificate);
    const { port, requests } = await httpsServer(certificate);
    const { connection, waits } = connectTo(`https://localhost:${port}`);
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.message).toContain("the certificate has expired");
    expect({ waits, requests: requests() }).toEqual({ waits: [], requests: 0 });
  });

  test("to a port that speaks plain HTTP is reported as such", async () => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const { connection, waits } = connectTo(`https://localhost:${server.port}`);
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.message).toContain("the server does not speak TLS on this port");
    expect(error.advice).toContain("http://");
    expect(waits).toEqual([]);
  });

  test("required by a server that got plain HTTP is reported with the solution", async () => {
    const { port, requests } = await httpsServer(selfSigned(["localhost"]));
    const { connection } = connectTo(`http://localhost:${port}`, { retries: 0 });
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.advice).toContain("https://");
    expect(requests()).toBe(0);
  });

  test("with an endless handshake ends at the deadline", async () => {
    const server = await tcpServer(() => {});
    const { connection } = connectTo(server.url.replace("http:", "https:"), { timeout: 0.3 });
    await failureOf(TimeoutError, call(connection, attestGeneric, attestation));
    // The attempt to connect may take ten seconds: closing must not wait for it.
    const closing = connection.close().then(() => "closed");
    expect(
      await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 2000, "waiting"))]),
    ).toBe("closed");
  });
});

describe("through a proxy", () => {
  const PASSWORD = "p@ss:w%rd/hunter2";
  const CREDENTIALS = `Basic ${Buffer.from(`user:${PASSWORD}`).toString("base64")}`;
  const withUser = (port: number) => `http://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;

  test("the service is reached by a tunnel, and the proxy sees only its name", async () => {
    const certificate = selfSigned(["evidence.test"]);
    trust(certificate);
    const service = await httpsServer(certificate);
    const proxy = await forwardProxy(service.port);
    const { connection } = connectTo("https://evidence.test", {
      proxyVariables: { HTTPS_PROXY: `127.0.0.1:${proxy.port}` },
    });
    expect((await call(connection, attestGeneric, attestation)).status).toBe(201);
    expect(proxy.asked).toEqual([{ line: "CONNECT evidence.test:443", authorization: undefined }]);
    expect(service.requests()).toBe(1);
  });

  test("its user and password are what the variable says, decoded", async () => {
    const certificate = selfSigned(["evidence.test"]);
    trust(certificate);
    const proxy = await forwardProxy((await httpsServer(certificate)).port, { authorization: CREDENTIALS });
    const { connection } = connectTo("https://evidence.test", {
      proxyVariables: { HTTPS_PROXY: withUser(proxy.port) },
    });
    expect((await call(connection, attestGeneric, attestation)).status).toBe(201);
  });

  test("plain HTTP is forwarded when it is allowed", async () => {
    const service = await httpServer((response) => json(response, 201, "OK"));
    const proxy = await forwardProxy(service.port, { authorization: CREDENTIALS });
    const { connection } = connectTo("http://evidence.test", {
      allowHttp: true,
      proxyVariables: { HTTP_PROXY: withUser(proxy.port) },
    });
    expect((await call(connection, attestGeneric, attestation)).status).toBe(201);
    expect(proxy.asked.map(({ line }) => line)).toEqual([
      `POST http://evidence.test${samples.attestGeneric.path}`,
    ]);
    expect(service.received[0]?.headers.authorization).toMatch(/^Bearer /);
    expect(service.received[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  test.each([
    ["https://evidence.test", "HTTPS_PROXY"],
    ["http://evidence.test", "HTTP_PROXY"],
  ])("a 407 for %s is reported as such, once, without the password", async (baseUrl, variable) => {
    const proxy = await forwardProxy(await closedPort(), { authorization: "Basic other" });
    const { connection, waits } = connectTo(baseUrl, {
      allowHttp: true,
      proxyVariables: { [variable]: withUser(proxy.port) },
    });
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.message).toBe(
      "the proxy requires authentication (407) " +
        `(evidence.test through the proxy 127.0.0.1:${proxy.port}, attestGeneric)`,
    );
    expect(error.advice).toContain("proxy variable");
    expect(shownText(error)).not.toMatch(/hunter2|dXNlcjp/);
    expect({ waits, asked: proxy.asked.length }).toEqual({ waits: [], asked: 1 });
  });

  test.each([
    [403, 1],
    [502, 2],
  ])("a tunnel refused with %i is reported after %i attempts", async (status, attempts) => {
    const proxy = await forwardProxy(await closedPort(), { status });
    const { connection } = connectTo("https://evidence.test", {
      retries: 1,
      proxyVariables: { HTTPS_PROXY: withUser(proxy.port) },
    });
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.message).toContain(`the proxy answered ${status}`);
    expect(shownText(error)).not.toContain("hunter2");
    expect(proxy.asked).toHaveLength(attempts);
  });

  test("that is down, the error names the proxy", async () => {
    const port = await closedPort();
    const { connection } = connectTo("https://evidence.test", {
      retries: 0,
      proxyVariables: { HTTPS_PROXY: withUser(port) },
    });
    const error = await failureOf(NetworkError, call(connection, attestGeneric, attestation));
    expect(error.message).toBe(
      `connection refused (evidence.test through the proxy 127.0.0.1:${port}, attestGeneric)`,
    );
  });

  test("that never answers, the deadline applies", async () => {
    const proxy = await tcpServer(() => {});
    const { connection } = connectTo("https://evidence.test", {
      timeout: 0.3,
      proxyVariables: { HTTPS_PROXY: proxy.url },
    });
    await failureOf(TimeoutError, call(connection, listRepos, {}));
  });

  test("an exempt host and this machine are called directly", async () => {
    const service = await httpServer((response) => json(response, 201, "OK"));
    const proxy = await forwardProxy(service.port);
    const { connection } = connectTo(service.url, {
      proxyVariables: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
    });
    await call(connection, attestGeneric, attestation);
    expect({ asked: proxy.asked, served: service.received.length }).toEqual({ asked: [], served: 1 });
  });
});
