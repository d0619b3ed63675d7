import { describe, expect, test } from "vitest";
import { InputError, NetworkError, ProtocolError, TimeoutError } from "../../../src/api/client/errors.ts";
import { parseImageReference } from "../../../src/evidence/oci/reference.ts";
import { fingerprintImage, type RegistryOptions } from "../../../src/evidence/oci/registry.ts";
import { authorizationFor, parseChallenges } from "../../../src/evidence/oci/token.ts";
import { failureOf, shownText } from "../../api/connections.ts";
import { forwardProxy } from "../../api/forward-proxy.ts";
import { closedPort, json } from "../../api/local-server.ts";
import { refusal } from "../refusal.ts";
import { auth, PASSWORD, withDockerConfig, withHelper } from "./logins.ts";
import { DIGEST, INDEX, manifest, registry, tokenRegistry } from "./registry-server.ts";

function fingerprint(image: string, options: Partial<RegistryOptions> = {}) {
  return fingerprintImage(image, {
    env: {},
    allowHttp: false,
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
    ...options,
  });
}

const basic = `Basic ${auth()}`;

describe("a registry without a login", () => {
  test("returns the digest of the index in one request, for any kind of manifest", async () => {
    const server = await registry((response) => manifest(response));
    expect(await fingerprint(server.image)).toBe(DIGEST);
    expect(server.requests()).toEqual(["HEAD /v2/acme/app/manifests/1"]);
    const { accept, authorization } = server.received[0]?.headers ?? {};
    expect(accept?.split(", ").sort()).toEqual([
      "application/vnd.docker.distribution.manifest.list.v2+json",
      "application/vnd.docker.distribution.manifest.v2+json",
      "application/vnd.oci.image.index.v1+json",
      "application/vnd.oci.image.manifest.v1+json",
    ]);
    expect(authorization).toBeUndefined();
  });

  test("gets no request for a known digest", async () => {
    const port = await closedPort();
    const image = `127.0.0.1:${port}/acme/app:1@sha256:${DIGEST.toUpperCase()}`;
    expect(await fingerprint(image)).toBe(DIGEST);
  });

  test("that omits the digest is asked for the manifest itself", async () => {
    const server = await registry((response) => manifest(response, {}));
    expect(await fingerprint(server.image)).toBe(DIGEST);
    expect(server.requests()).toEqual(["HEAD /v2/acme/app/manifests/1", "GET /v2/acme/app/manifests/1"]);
  });

  test.each([405, 501])(
    "that does not support HEAD (%i) is asked for the manifest itself",
    async (status) => {
      const server = await registry((response, { method }) => {
        if (method === "HEAD") json(response, status, {});
        else manifest(response);
      });
      expect(await fingerprint(server.image)).toBe(DIGEST);
    },
  );

  test("that returns a digest other than that of its content is rejected", async () => {
    const wrong = { "docker-content-digest": `sha256:${"0".repeat(64)}` };
    const server = await registry((response, { method }) => {
      if (method === "HEAD") json(response, 405, {});
      else manifest(response, wrong);
    });
    const error = await failureOf(ProtocolError, fingerprint(server.image));
    expect(error.message).toContain(`its content is sha256:${DIGEST}`);
  });

  test.each([
    ["another algorithm", `sha512:${"a".repeat(128)}`],
    ["fewer digits", "sha256:abc"],
    ["upper case", `sha256:${DIGEST.toUpperCase()}`],
    ["more than a digest", `sha256:${DIGEST}, sha256:${DIGEST}`],
  ])("that names %s is rejected", async (_, digest) => {
    const server = await registry((response) => manifest(response, { "docker-content-digest": digest }));
    await failureOf(ProtocolError, fingerprint(server.image));
  });

  test.each([
    ["a web page", "<html>Log in to the network</html>", {}],
    ["JSON that is not a manifest", '{"errors": []}', {}],
    ["a manifest of version 1", '{"schemaVersion": 1}', {}],
    ["a list", "[]", {}],
    ["nothing", "", {}],
    ["compressed bytes", INDEX, { "content-encoding": "gzip" }],
  ])("that returns %s is rejected", async (_, content, headers) => {
    const server = await registry((response) => manifest(response, headers, content));
    const error = await failureOf(ProtocolError, fingerprint(server.image));
    expect(error.message).toContain("did not return an image manifest");
  });

  test("that never stops sending is cut off", async () => {
    const server = await registry((response, { method }) => {
      response.writeHead(200);
      if (method === "HEAD") response.end();
      else response.end(Buffer.alloc(4 * 1024 * 1024 + 1, 32));
    });
    const error = await failureOf(ProtocolError, fingerprint(server.image));
    expect(error.message).toContain("larger than 4 MB");
  });
});

describe("a token", () => {
  test("is requested without a login, to read this image only", async () => {
    const server = await tokenRegistry(({ headers }) => headers.authorization === undefined);
    expect(await fingerprint(server.image)).toBe(DIGEST);
    expect(server.requests()).toEqual([
      "HEAD /v2/acme/app/manifests/1",
      "GET /token?service=reg&scope=repository%3Aacme%2Fapp%3Apull",
      "HEAD /v2/acme/app/manifests/1",
    ]);
  });

  test("is requested with the login of Docker's file, which only the token server receives", async () => {
    const server = await tokenRegistry(({ headers }) => headers.authorization === basic);
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      basic,
      "Bearer a.registry-token",
    ]);
  });

  test("is requested with the login that a helper stores", async () => {
    const server = await tokenRegistry(({ headers }) => headers.authorization === basic);
    const { PATH } = withHelper(`echo '{"Username": "ada", "Secret": "${PASSWORD}"}'`);
    const env = { ...withDockerConfig({ credsStore: "fake" }), PATH };
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
  });

  test("is issued for an identity token, in the body of a POST", async () => {
    const server = await tokenRegistry(({ method }) => method === "POST", {
      given: { access_token: "a.registry-token" },
    });
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth("x", ""), identitytoken: "idt" } } });
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
    const request = server.received[1];
    expect(request?.path).toBe("/token");
    expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(request?.body.toString()))).toEqual({
      grant_type: "refresh_token",
      client_id: "delivery-evidence",
      refresh_token: "idt",
      service: "reg",
      scope: "repository:acme/app:pull",
    });
  });

  test("names the image where the registry names no scope", async () => {
    const tokens = await tokenRegistry(() => true);
    const server = await tokenRegistry(() => false, { challenge: `Bearer realm="${tokens.url}/token"` });
    expect(await fingerprint(server.image)).toBe(DIGEST);
    expect(tokens.requests()).toEqual(["GET /token?scope=repository%3Aacme%2Fapp%3Apull"]);
  });

  test("that the registry rejects is not retried", async () => {
    const server = await tokenRegistry(() => true, { given: { token: "another" } });
    const error = await refusal(fingerprint(server.image));
    expect(error.message).toContain("requires a login (401), and none was found");
    expect(server.requests()).toHaveLength(3);
  });

  test.each([[{}], [{ token: "" }], [{ token: 7 }], [{ token: "a\r\nx: b" }], [[]], ["text"]])(
    "must be valid: %j",
    async (given) => {
      const server = await tokenRegistry(() => true, { given });
      expect((await failureOf(ProtocolError, fingerprint(server.image))).message).toContain(
        "returned no token",
      );
    },
  );

  test.each([
    ["http://token.example/t", "which would receive the login unencrypted"],
    ["ftp://127.0.0.1/t", "which would receive the login unencrypted"],
    ["https://ada:pw@token.example/t", "has an address with a password"],
    ["/token", "has no valid address"],
    ["", "has no valid address"],
  ])("server at '%s' gets no request", async (realm, expected) => {
    const server = await tokenRegistry(() => true, { challenge: `Bearer realm="${realm}"` });
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    expect((await refusal(fingerprint(server.image, { env }))).message).toContain(expected);
    expect(server.requests()).toHaveLength(1);
  });

  test("server without TLS on this machine is not used for a registry elsewhere", async () => {
    const tokens = await registry((response) => json(response, 200, { token: "a.registry-token" }));
    const work = authorizationFor(
      {
        reference: parseImageReference("reg.example/acme/app:1"),
        registry: new URL("https://reg.example"),
        challenges: parseChallenges(`Bearer realm="${tokens.url}/token"`),
        credentials: { kind: "password", username: "ada", password: PASSWORD },
        push: false,
        allowHttp: true,
      },
      () => expect.fail("it was asked"),
    );
    expect((await refusal(work)).message).toContain("which would receive the login unencrypted");
    expect(tokens.received).toEqual([]);
  });

  test("server that redirects is not followed, since it would pass on the login", async () => {
    const elsewhere = await registry((response) => json(response, 200, { token: "a.registry-token" }));
    const server = await registry((response, { path, headers }) => {
      const location = `${elsewhere.url}/token`;
      if (path.startsWith("/token")) json(response, 307, {}, { location });
      else json(response, 401, {}, { "www-authenticate": `Bearer realm="http://${headers.host}/token"` });
    });
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    await failureOf(ProtocolError, fingerprint(server.image, { env }));
    expect(elsewhere.received).toEqual([]);
  });
});

describe("a registry with basic authentication", () => {
  const challenge = { "www-authenticate": 'Basic realm="Registry"' };

  test("receives the password", async () => {
    const server = await registry((response, { headers }) =>
      headers.authorization === basic ? manifest(response) : json(response, 401, {}, challenge),
    );
    const env = withDockerConfig({ auths: { [`http://${server.host}`]: { auth: auth() } } });
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
    expect(server.requests()).toHaveLength(2);
  });

  test("never receives an identity token in place of a password", async () => {
    const server = await registry((response) => json(response, 401, {}, challenge));
    const env = withDockerConfig({ auths: { [server.host]: { identitytoken: "idt" } } });
    await refusal(fingerprint(server.image, { env }));
    expect(server.requests()).toHaveLength(1);
  });

  test("that rejects the password is reported, without the password", async () => {
    const server = await registry((response) =>
      json(response, 401, { errors: [{ detail: basic }] }, challenge),
    );
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    const error = await refusal(fingerprint(server.image, { env }));
    expect(error.message).toBe(
      `artifact: '${server.image}' cannot be read: ${server.host} does not accept the login for ${server.host} (401)`,
    );
    expect(error.advice).toContain("docker login");
    expect(shownText(error)).not.toContain(PASSWORD);
    expect(shownText(error)).not.toContain(auth());
  });

  test("also receives it for the manifest, when it does not return the digest", async () => {
    const server = await registry((response, { headers }) =>
      headers.authorization === basic ? manifest(response, {}) : json(response, 401, {}, challenge),
    );
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
    expect(server.received.map((r) => `${r.method} ${r.headers.authorization}`)).toEqual([
      "HEAD undefined",
      `HEAD ${basic}`,
      `GET ${basic}`,
    ]);
  });
});

describe("a redirect", () => {
  test("of the manifest is followed, without the login", async () => {
    const elsewhere = await registry((response) => manifest(response));
    const server = await registry((response, { headers, path }) => {
      const challenge = { "www-authenticate": "Basic" };
      if (headers.authorization === undefined) json(response, 401, {}, challenge);
      else json(response, 307, {}, { location: `${elsewhere.url}${path}` });
    });
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
    expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test("within the registry keeps the login", async () => {
    const server = await registry((response, { headers, path }) => {
      if (headers.authorization === undefined) json(response, 401, {}, { "www-authenticate": "Basic" });
      else if (path.startsWith("/v2/acme")) json(response, 302, {}, { location: "/v2/moved/manifests/1" });
      else manifest(response);
    });
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    expect(await fingerprint(server.image, { env })).toBe(DIGEST);
  });

  test("to another host that requires a login does not get ours", async () => {
    const elsewhere = await registry((response) => json(response, 401, {}, { "www-authenticate": "Basic" }));
    const server = await registry((response, { path }) =>
      json(response, 307, {}, { location: `${elsewhere.url}${path}` }),
    );
    const auths = { [server.host]: { auth: auth() }, [elsewhere.host]: { auth: auth() } };
    await refusal(fingerprint(server.image, { env: withDockerConfig({ auths }) }));
    expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test.each([
    ["http://reg.example/v2/", "to http://reg.example"],
    ["file:///etc/passwd", "to null"],
    ["https://u:p@reg.example/", "to https://reg.example"],
    ["http://", "to nowhere"],
  ])("to '%s' is an error", async (location, expected) => {
    const server = await registry((response) => json(response, 307, {}, { location }));
    expect((await failureOf(ProtocolError, fingerprint(server.image))).message).toContain(expected);
  });

  test("that never ends is an error", async () => {
    const server = await registry((response, { path }) => json(response, 302, {}, { location: path }));
    const error = await failureOf(ProtocolError, fingerprint(server.image));
    expect(error.message).toContain("more than 3 times");
    expect(server.received).toHaveLength(4);
  });
});

describe("errors say how to fix them:", () => {
  test.each([
    [401, InputError, "requires a login (401), and none was found"],
    [403, InputError, "cannot be read without a login, or does not exist (403 of"],
    [404, InputError, "or is hidden without a login (404)"],
    [400, NetworkError, "status 400"],
  ])("a response %i", async (status, kind, expected) => {
    const server = await registry((response) => json(response, status, {}));
    const error = await failureOf<InputError | NetworkError>(kind, fingerprint(server.image));
    expect(error.message).toContain(expected);
    expect(error.message).toContain(server.image);
    expect(error.advice).not.toBe("");
    expect(server.received).toHaveLength(1);
  });

  test.each([
    [429, "too many requests: the digest of"],
    [503, "status 503"],
  ])("a response %i that persists after two further attempts", async (status, expected) => {
    const server = await registry((response) => json(response, status, {}));
    const error = await failureOf(NetworkError, fingerprint(server.image));
    expect(error.message).toContain(expected);
    expect(server.received).toHaveLength(3);
  });

  test("a response 503 that is temporary is not an error", async () => {
    const server = await registry((response, _, count) =>
      count === 1 ? json(response, 503, {}) : manifest(response),
    );
    expect(await fingerprint(server.image)).toBe(DIGEST);
  });

  test("a wait that would exceed the deadline, which does not start", async () => {
    const server = await registry((response) => json(response, 429, {}, { "retry-after": "3600" }));
    const error = await failureOf(NetworkError, fingerprint(server.image));
    expect(error.message).toContain("429");
    expect(server.received).toHaveLength(1);
  });

  test("a token refused for a login", async () => {
    const server = await tokenRegistry(() => false);
    const env = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    const error = await refusal(fingerprint(server.image, { env }));
    expect(error.message).toContain(`does not accept the login for ${server.host} (401)`);
    expect(shownText(error)).not.toContain(PASSWORD);
  });

  test("a closed port", async () => {
    const port = await closedPort();
    const error = await failureOf(NetworkError, fingerprint(`127.0.0.1:${port}/acme/app`));
    expect(error.message).toBe(`connection refused (127.0.0.1:${port})`);
    expect(error.advice).toContain("Check the name of the registry");
  });

  test("a registry that does not respond in time", async () => {
    const server = await registry(() => {});
    const error = await failureOf(TimeoutError, fingerprint(server.image, { timeLimit: 0.2 }));
    expect(error.message).toBe(`no complete answer within 0.2 s (${server.host})`);
  });

  test("an interruption, by its own reason", async () => {
    const controller = new AbortController();
    const server = await registry(() => controller.abort(new RangeError("interrupted")));
    await expect(fingerprint(server.image, { signal: controller.signal })).rejects.toThrow("interrupted");
  });

  test("a registry elsewhere without TLS, with the way to allow it", async () => {
    const server = await registry((response) => manifest(response));
    const image = `0.0.0.0:${server.port}/acme/app:1`;
    const error = await failureOf(NetworkError, fingerprint(image));
    expect(error.message).toContain("does not speak TLS on this port");
    expect(error.advice).toContain("allow-http: true");

    const refused = await refusal(fingerprint(`http://${image}`));
    expect(refused.message).toContain("set allow-http: true");
    expect(server.received).toEqual([]);
    expect(await fingerprint(`http://${image}`, { allowHttp: true })).toBe(DIGEST);
  });
});

test("a registry elsewhere is reached through the proxy that the variables name", async () => {
  const server = await registry((response) => manifest(response));
  const proxy = await forwardProxy(server.port);
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
  const image = "http://registry.example:5000/acme/app:1";
  expect(await fingerprint(image, { env, allowHttp: true })).toBe(DIGEST);
  expect(proxy.asked.map(({ line }) => line)).toEqual([expect.stringContaining("registry.example:5000")]);
});

test("Docker Hub is reached at its own registry, over TLS", async () => {
  const proxy = await forwardProxy(await closedPort(), { status: 403 });
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const error = await failureOf(NetworkError, fingerprint("nginx", { env }));
  expect(error.message).toContain("registry-1.docker.io through the proxy");
  expect(proxy.asked[0]?.line).toBe("CONNECT registry-1.docker.io:443");
});
