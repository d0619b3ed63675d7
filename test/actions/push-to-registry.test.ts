import { describe, expect, test } from "vitest";
import { BUNDLE_TYPE, bundleOf } from "../../src/evidence/provenance/statements/dsse.ts";
import { auth, withDockerConfig } from "../evidence/oci/logins.ts";
import { pushImage } from "../evidence/oci/push.ts";
import { storingRegistry } from "../evidence/oci/storing-registry.ts";
import { runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { COMPLIANT, DIGEST } from "./verdict.ts";

describe("assert-artifact with push-to-registry", () => {
  const login = "ada:open sesame";
  const payload = Buffer.from(JSON.stringify({ predicate: {}, predicateType: "a.type" })).toString("base64");
  const envelope = { payload, payloadType: "application/vnd.in-toto+json", signatures: [] };
  const pushed = async (
    { password = login, verdict = {} }: { password?: string; verdict?: object },
    inputs: (host: string, fingerprint: string) => Record<string, string>,
  ) => {
    const registry = await storingRegistry(login, { hasReferrers: true });
    const { manifest: fingerprint } = await pushImage({ host: registry.host, login }, "acme/web");
    await using server = await recordingServer([
      { status: 200, body: { ...COMPLIANT, fingerprint, ...verdict } },
      { status: 200, body: envelope },
    ]);
    const env = withDockerConfig({ auths: { [registry.host]: { auth: auth(...password.split(":")) } } });
    const run = await runHere("assert-artifact", {
      ...{ server, env },
      inputs: { statement: "vsa", "push-to-registry": "true", ...inputs(registry.host, fingerprint) },
    });
    return { ...run, registry };
  };

  test.each<[string, (host: string, fingerprint: string) => Record<string, string>]>([
    ["artifact", (host) => ({ artifact: `${host}/acme/web:single`, "artifact-type": "oci" })],
    ["fingerprint", (host, digest) => ({ fingerprint: `${host}/acme/web@sha256:${digest}` })],
    ["resource-uri", (host, digest) => ({ fingerprint: digest, "resource-uri": `${host}/acme/web` })],
  ])("attaches the bundle to the image that %s names", async (_, inputs) => {
    const { status, outputs, registry } = await pushed({}, inputs);
    const { path, body } = registry.received.at(-1) ?? expect.fail("nothing was pushed");
    const { artifactType, annotations } = JSON.parse(body.toString());
    expect({ artifactType, annotations }).toEqual({
      artifactType: BUNDLE_TYPE,
      annotations: {
        "dev.sigstore.bundle.content": "dsse-envelope",
        "dev.sigstore.bundle.predicateType": "a.type",
      },
    });
    const digest = path.split("/").at(-1);
    expect(outputs).toMatchObject({ compliant: "true", referrer: `${registry.host}/acme/web@${digest}` });
    expect(registry.received.map((each) => each.body.toString())).toContain(
      bundleOf(JSON.stringify(envelope)),
    );
    expect(status).toBe(0);
  });

  const byFingerprint = (host: string, digest: string) => ({
    fingerprint: `${host}/acme/web@sha256:${digest}`,
  });

  test("fails if the registry refuses, with the result and the envelope in the outputs", async () => {
    const { registry, ...run } = await pushed({ password: "ada:wrong" }, byFingerprint);
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "true", referrer: "" } });
    expect(run.outputs["statement-file"]).not.toBe("");
    expect(run.stdout).toContain(
      `::error title=The statement was not pushed (input.invalid)::push-to-registry: '${registry.host}/acme/web@`,
    );
    expect(run.stdout).toContain(`does not accept the login for ${registry.host} (401)`);
    expect(run.stdout).toContain("`packages: write`");
  });

  test("fails for a closed gate, and also names the refusal", async () => {
    const run = await pushed({ password: "ada:wrong", verdict: { compliant: false } }, byFingerprint);
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "false", referrer: "" } });
    expect(run.stdout).toContain("::error title=Artifact is not compliant");
    expect(run.stdout).toContain("::warning::The statement was not pushed: push-to-registry: ");
  });

  test("pushes nothing for an artifact without the statement", async () => {
    const inputs = (host: string, digest: string) => ({ ...byFingerprint(host, digest), statement: "svr" });
    const { registry, ...run } = await pushed({ verdict: { compliant: false } }, inputs);
    expect(run).toMatchObject({ status: 1, outputs: { referrer: "" } });
    expect(registry.requests()).not.toContainEqual(expect.stringContaining("manifests/sha256:"));
  });

  test.each([
    [{ statement: "" }, "push-to-registry: is used only with `statement`"],
    [{}, "push-to-registry: requires an image: set artifact-type: oci, or set fingerprint to name@sha256:…"],
    [{ "resource-uri": "pkg:oci/web" }, "push-to-registry: 'pkg:oci/web' has an invalid registry"],
  ])("requires a statement and an image: %j", async (inputs, expected) => {
    await using server = await recordingServer([]);
    const run = await runHere("assert-artifact", {
      server,
      inputs: { fingerprint: DIGEST, statement: "vsa", "push-to-registry": "true", ...inputs },
    });
    expect(run.stdout).toContain(expected);
    expect(server.requests).toEqual([]);
  });
});
