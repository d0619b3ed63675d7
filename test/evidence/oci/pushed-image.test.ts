import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseImageReference } from "../../../src/evidence/oci/reference.ts";
import { pushReferrer } from "../../../src/evidence/oci/referrer.ts";
import { fingerprintImage } from "../../../src/evidence/oci/registry.ts";
import { refusal } from "../refusal.ts";
import { auth, withDockerConfig } from "./logins.ts";
import { type PushTarget, pushImage } from "./push.ts";
import { storingRegistry } from "./storing-registry.ts";

/*
 * EVIDENCE_TEST_REGISTRY is the `host:port` of a third-party registry on this machine, and
 * EVIDENCE_TEST_REGISTRY_LOGIN its `user:password`. Without them these tests use our own registry.
 */
const HOST = process.env["EVIDENCE_TEST_REGISTRY"] ?? "";
const LOGIN = process.env["EVIDENCE_TEST_REGISTRY_LOGIN"] ?? "";

async function target(): Promise<PushTarget> {
  if (HOST !== "") return { host: HOST, login: LOGIN };
  const login = "ada:open sesame";
  return { host: (await storingRegistry(login)).host, login };
}

function fingerprint(image: string, auths: Record<string, unknown>): Promise<string> {
  const { signal } = new AbortController();
  return fingerprintImage(image, { env: withDockerConfig({ auths }), allowHttp: false, signal });
}

function loginFor({ host, login }: PushTarget): Record<string, unknown> {
  const [user, password] = login.split(":");
  return login === "" ? {} : { [host]: { auth: auth(user, password) } };
}

const TYPE = "application/vnd.in-toto+json";

function attach(registry: PushTarget, image: string, content: string): Promise<string> {
  const { digest = "", ...reference } = parseImageReference(`${registry.host}/${image}`);
  const file = { mediaType: TYPE, content, annotations: { about: reference.repository } };
  const env = withDockerConfig({ auths: loginFor(registry) });
  const { signal } = new AbortController();
  return pushReferrer({ ...reference, digest }, file, { env, allowHttp: false, signal });
}

/** JSON of the registry; undefined if it does not exist. */
async function read({ host, login }: PushTarget, path: string) {
  const accept = "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json";
  const authorization = `Basic ${Buffer.from(login).toString("base64")}`;
  const headers = { accept, ...(login !== "" && { authorization }) };
  const answer = await fetch(`http://${host}${path}`, { headers });
  return answer.ok ? JSON.parse(await answer.text()) : undefined;
}

describe(
  HOST === "" ? "our own registry, since EVIDENCE_TEST_REGISTRY is unset" : `the registry ${HOST}`,
  () => {
    test("returns the digest of a pushed image, and of an index", async () => {
      const registry = await target();
      const name = `acme/${randomUUID()}`;
      const pushed = await pushImage(registry, name);
      const auths = loginFor(registry);
      expect(await fingerprint(`${registry.host}/${name}:single`, auths)).toBe(pushed.manifest);
      expect(await fingerprint(`${registry.host}/${name}:multi`, auths)).toBe(pushed.index);
    });

    test("lists a file that is pushed beside an image or an index, once", async () => {
      const registry = await target();
      const name = `acme/${randomUUID()}`;
      const pushed = await pushImage(registry, name);
      for (const digest of Object.values(pushed)) {
        const first = await attach(registry, `${name}@sha256:${digest}`, "a statement");
        expect(await attach(registry, `${name}@sha256:${digest}`, "a statement")).toBe(first);
        const second = await attach(registry, `${name}@sha256:${digest}`, "another");
        const listed = await read(registry, `/v2/${name}/referrers/sha256:${digest}`);
        const { manifests } = listed ?? (await read(registry, `/v2/${name}/manifests/sha256-${digest}`));
        expect(manifests.map((each: { digest: string }) => each.digest).sort()).toEqual(
          [first, second].sort(),
        );
        expect(manifests[0]).toMatchObject({ artifactType: TYPE, annotations: { about: name } });
        const { layers, subject } = await read(registry, `/v2/${name}/manifests/${first}`);
        expect(layers).toEqual([{ mediaType: TYPE, digest: expect.any(String), size: 11 }]);
        expect(subject).toMatchObject({ digest: `sha256:${digest}`, size: expect.any(Number) });
      }
    });

    test("reports a missing image", async () => {
      const registry = await target();
      const work = fingerprint(`${registry.host}/acme/${randomUUID()}:1`, loginFor(registry));
      expect((await refusal(work)).message).toContain("was not found");
    });

    test("with a login rejects any other", async () => {
      const { host, login } = await target();
      const wrong = { [host]: { auth: auth("ada", "wrong") }, "ghcr.io": { auth: auth("ada", "other") } };
      const expected = login === "" ? "was not found" : "does not accept the login";
      expect((await refusal(fingerprint(`${host}/acme/absent:1`, wrong))).message).toContain(expected);
    });
  },
);
