import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
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
  return { host: await storingRegistry(login), login };
}

function fingerprint(image: string, auths: Record<string, unknown>): Promise<string> {
  const { signal } = new AbortController();
  return fingerprintImage(image, { env: withDockerConfig({ auths }), allowHttp: false, signal });
}

function loginFor({ host, login }: PushTarget): Record<string, unknown> {
  const [user, password] = login.split(":");
  return login === "" ? {} : { [host]: { auth: auth(user, password) } };
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
