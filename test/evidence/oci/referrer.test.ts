import { describe, expect, test } from "vitest";
import { NetworkError, ProtocolError } from "../../../src/api/client/errors.ts";
import { parseImageReference } from "../../../src/evidence/oci/reference.ts";
import { pushReferrer } from "../../../src/evidence/oci/referrer.ts";
import { failureOf, shownText } from "../../api/connections.ts";
import { httpServer, json } from "../../api/local-server.ts";
import { refusal } from "../refusal.ts";
import { auth, PASSWORD, withDockerConfig } from "./logins.ts";
import { pushImage } from "./push.ts";
import { DIGEST, manifest, registry } from "./registry-server.ts";
import { storingRegistry } from "./storing-registry.ts";

const TYPE = "application/vnd.in-toto+json";
const FILE = { mediaType: TYPE, content: "a statement", annotations: { "in-toto.io/predicate-type": "p" } };
const LOGIN = `ada:${PASSWORD}`;

function push(host: string, digest: string, { loggedIn = true } = {}): Promise<string> {
  const image = { ...parseImageReference(`${host}/acme/app`), tag: undefined, digest };
  const env = withDockerConfig({ auths: loggedIn ? { [host]: { auth: auth() } } : {} });
  const { signal } = new AbortController();
  return pushReferrer(image, FILE, { env, allowHttp: false, signal, pause: () => Promise.resolve() });
}

/** A registry with the image `acme/app`, and what it receives after that. */
async function withImage(behavior: Parameters<typeof storingRegistry>[1]) {
  const server = await storingRegistry(LOGIN, behavior);
  const { index } = await pushImage({ host: server.host, login: LOGIN }, "acme/app");
  const before = server.received.length;
  return { ...server, digest: index, received: () => server.received.slice(before) };
}

describe("a file about an image", () => {
  test("becomes a manifest that refers to the image, once for the same file", async () => {
    const { host, digest, received } = await withImage({ hasReferrers: true });
    const first = await push(host, digest);
    const requests = received().map((each) => `${each.method} ${each.path}`);
    expect(requests).toMatchSnapshot();
    const { path, headers, body } = received().at(-1) ?? expect.fail("no manifest");
    expect(path).toBe(`/v2/acme/app/manifests/${first}`);
    expect(headers["content-type"]).toBe("application/vnd.oci.image.manifest.v1+json");
    expect(JSON.parse(body.toString())).toMatchSnapshot();
    expect(await push(host, digest)).toBe(first);
    const repeated = received().slice(requests.length);
    expect(repeated.filter(({ method }) => method === "POST")).toEqual([]);
    expect(repeated.at(-1)?.body).toEqual(body);
  });

  test("is added to a tag in a registry without the Referrers API", async () => {
    const { host, digest, received } = await withImage({});
    const first = await push(host, digest);
    const { method, path, headers, body } = received().at(-1) ?? expect.fail("no index");
    expect(`${method} ${path}`).toBe(`PUT /v2/acme/app/manifests/sha256-${digest}`);
    expect(headers["content-type"]).toBe("application/vnd.oci.image.index.v1+json");
    const { schemaVersion, manifests } = JSON.parse(body.toString());
    expect(schemaVersion).toBe(2);
    expect(manifests).toMatchObject([
      { digest: first, artifactType: TYPE, annotations: FILE.annotations, size: expect.any(Number) },
    ]);
    await push(host, digest);
    expect(received().at(-1)?.method).toBe("GET");
  });

  test("does not replace a tag that has something else", async () => {
    const { host, digest } = await withImage({});
    const single = await fetch(`http://${host}/v2/acme/app/manifests/single`, {
      headers: {
        accept: "application/vnd.oci.image.manifest.v1+json",
        authorization: `Basic ${auth()}`,
      },
    });
    await fetch(`http://${host}/v2/acme/app/manifests/sha256-${digest}`, {
      method: "PUT",
      headers: {
        "content-type": "application/vnd.oci.image.manifest.v1+json",
        authorization: `Basic ${auth()}`,
      },
      body: await single.text(),
    });
    const error = await failureOf(ProtocolError, push(host, digest));
    expect(error.message).toContain(`The tag 'sha256-${digest}' in ${host} is not a list of referrers`);
  });

  test("is uploaded to another host without the login", async () => {
    const elsewhere = await httpServer((response) => json(response, 201, {}));
    const { host, digest } = await withImage({ hasReferrers: true, uploadsAt: elsewhere.url });
    await push(host, digest);
    expect(elsewhere.received.map(({ body }) => body.toString())).toEqual(["{}", FILE.content]);
    expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });
});

test("the token is requested with the right to push, although a read needs less", async () => {
  const server = await registry((response, { path, headers }) => {
    const challenge = `Bearer realm="http://${headers.host}/token",scope="repository:acme/app:pull"`;
    if (path.startsWith("/token")) json(response, 403, {});
    else json(response, 401, {}, { "www-authenticate": challenge });
  });
  const error = await refusal(push(server.host, DIGEST));
  expect(server.requests()[1]).toBe("GET /token?scope=repository%3Aacme%2Fapp%3Apull%2Cpush");
  expect(error.message).toContain(`cannot be pushed to with the login that was found`);
});

describe("a push fails", () => {
  test.each([
    [401, "does not accept the login for"],
    [403, "cannot be pushed to with the login that was found, or does not exist (403 of"],
  ])("for a login that may only read (%i), with the right that it needs", async (status, expected) => {
    const { host, digest } = await withImage({
      refuses: ({ method, path }) => refused(method, path, status),
    });
    const error = await refusal(push(host, digest));
    expect(error.message).toContain(`'${host}/acme/app@sha256:${digest}' cannot be pushed to`);
    expect(error.message).toContain(expected);
    expect(error.advice).toContain("`packages: write`");
    expect(shownText(error)).not.toContain(PASSWORD);
  });

  test("without a login", async () => {
    const { host, digest } = await withImage({});
    const error = await refusal(push(host, digest, { loggedIn: false }));
    expect(error.message).toContain(
      `cannot be pushed to: ${host} requires a login (401), and none was found`,
    );
    expect(error.advice).toContain("`packages: write`");
  });

  test("for a missing image, before anything is pushed", async () => {
    const { host, received } = await withImage({});
    const error = await refusal(push(host, DIGEST));
    expect(error.message).toContain(`was not found in ${host}`);
    expect(received().map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  test("for a registry that returns another image", async () => {
    const server = await registry((response) => manifest(response));
    const error = await failureOf(ProtocolError, push(server.host, "0".repeat(64)));
    expect(error.message).toContain("returned another manifest");
    expect(server.received).toHaveLength(1);
  });

  test("for a registry that is read-only", async () => {
    const { host, digest } = await withImage({ refuses: ({ method, path }) => refused(method, path, 405) });
    const error = await failureOf(NetworkError, push(host, digest));
    expect(error.message).toContain("could not be pushed to");
    expect(error.message).toContain("status 405");
  });
});

/** Refuses the upload of a statement, and not that of an image. */
function refused(method: string, path: string, status: number): number | undefined {
  return method === "PUT" && path.includes("/manifests/sha256:") ? status : undefined;
}
