import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fingerprintImage } from "../../../src/evidence/oci/registry.ts";
import { refusal } from "../refusal.ts";
import { auth, withDockerConfig } from "./logins.ts";
import { type PushTarget, pushImage } from "./push.ts";
import { storingRegistry } from "./storing-registry.ts";

/*
 * EVIDENCE_TEST_REGISTRY is the `host:port` of a registry on this machine that others made, and
 * EVIDENCE_TEST_REGISTRY_LOGIN the `user:password` it asks for. Without them the same is asked of one of our own.
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
  HOST === "" ? "our own registry, since EVIDENCE_TEST_REGISTRY names none" : `the registry ${HOST}`,
  () => {
    test("tells the digest of an image that was pushed, and of an index", async () => {
      const registry = await target();
      const name = `acme/${randomUUID()}`;
      const pushed = await pushImage(registry, name);
      const auths = loginFor(registry);
      expect(await fingerprint(`${registry.host}/${name}:single`, auths)).toBe(pushed.manifest);
      expect(await fingerprint(`${registry.host}/${name}:multi`, auths)).toBe(pushed.index);
    });

    test("tells that there is no such image", async () => {
      const registry = await target();
      const work = fingerprint(`${registry.host}/acme/${randomUUID()}:1`, loginFor(registry));
      expect((await refusal(work)).message).toContain("was not found");
    });

    test("that wants a login takes no other than its own", async () => {
      const { host, login } = await target();
      const wrong = { [host]: { auth: auth("ada", "wrong") }, "ghcr.io": { auth: auth("ada", "other") } };
      const told = login === "" ? "was not found" : "does not accept the login";
      expect((await refusal(fingerprint(`${host}/acme/absent:1`, wrong))).message).toContain(told);
    });
  },
);
