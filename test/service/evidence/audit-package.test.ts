import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownIssuer } from "../../identity/known-issuer.ts";
import { PUSH } from "../../identity/signed-token.ts";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { workflowToken } from "../workflow-token.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

async function download(path: string) {
  const { statusCode, headers, body } = await request(`${service.address}/api/v2${path}`, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.reader}` },
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** The files of a package by name, in order. */
async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = await unpackTar(gunzipSync(bytes));
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
}

const trailPackage = `/trails/${ORG}/web/v1/audit_package`;
const artifactPackage = `/artifacts/${ORG}/web/${FP}/audit_package`;
// Not compressible, and larger than the part of a package that is kept in memory.
const large = Buffer.alloc(9 * 1024 * 1024, createHash("sha512").update("large").digest());

beforeAll(async () => {
  const { attest, artifact } = pipeline(service);
  await artifact("web", "v1");
  await attest("web", "v1", { attestation_name: "lint" }, [
    { part: "attachment_file.0", name: "report.txt", content: "fine" },
    { part: "attachment_file.1", name: "report.txt", content: "same name" },
  ]);
  await attest("web", "v1", { artifact_fingerprint: FP, is_compliant: false });
  await attest("web", "v1", { artifact_fingerprint: FP }, [{ name: "large.bin", content: large }]);
  await attest("web", "v1", {
    attestation_name: "scan",
    target_artifacts: ["web"],
    git_commit_info: { sha1: COMMIT },
  });
});

describe("the audit package of a trail", () => {
  it("contains the trail, its artifacts, its attestations and their files", async () => {
    const { status, headers, bytes } = await download(trailPackage);
    expect({ status, type: headers["content-type"], name: headers["content-disposition"] }).toEqual({
      status: 200,
      type: "application/gzip",
      name: "attachment; filename*=UTF-8''web-v1-audit-package.tgz",
    });
    const files = await unpack(bytes);
    const held = (folder: string) => [...files.keys()].filter((name) => name.startsWith(`${folder}/`)).length;
    expect({
      artifacts: held("artifacts"),
      attestations: held("attestations"),
      attachments: held("attachments"),
    }).toEqual({ artifacts: 1, attestations: 4, attachments: 3 });
    expect([...files.keys()][0]).toBe("manifest.json");
    const trail = JSON.parse(String(files.get("trail.json")));
    expect(trail).toMatchObject({ name: "v1", compliance_state: "COMPLIANT", flow: { name: "web" } });
    expect(trail.events).toHaveLength(6);
    const page = await download(trailPackage.replace(/_package$/, "_pdf"));
    expect(files.get("trail-page.html")?.equals(page.bytes)).toBe(true);
    const attached = [...files]
      .filter(([name]) => name.startsWith("attachments/"))
      .map(([, content]) => content);
    expect(attached.map((content) => content.length)).toEqual([4, 9, large.length]);
    expect(attached[2]?.equals(large)).toBe(true);
  });

  it("lists the size and the sha256 of each file", async () => {
    const files = await unpack((await download(trailPackage)).bytes);
    const manifest = JSON.parse(String(files.get("manifest.json")));
    files.delete("manifest.json");
    expect(manifest).toEqual({
      version: 1,
      org: ORG,
      flow: "web",
      trail: "v1",
      log: { origin: expect.stringMatching(/^acme\./), size: expect.any(Number) },
      files: [...files].map(([name, content]) => ({
        name,
        size: content.length,
        sha256: createHash("sha256").update(content).digest("hex"),
      })),
    });
  });

  it("names the workflow of each record that a workflow created, and nothing for one by key", async () => {
    const workflow = pipeline(service, await workflowToken(service, ["proven"]));
    await workflow.trail("proven", "v1");
    await workflow.artifact("proven", "v1");
    await workflow.attest("proven", "v1", {
      attestation_name: "lint",
      git_commit_info: { sha1: "2".repeat(40) },
    });
    await pipeline(service).attest("proven", "v1", { attestation_name: "by-hand" });
    const files = await unpack((await download(`/trails/${ORG}/proven/v1/audit_package`)).bytes);
    const record = (start: string) =>
      JSON.parse(String([...files].find(([name]) => name.startsWith(start))?.[1]));
    const verified = {
      state: "verified",
      name: "github:acme/web build.yml run 123 attempt 1",
      url: "https://github.example/acme/web/actions/runs/123/attempts/1",
      issuer: knownIssuer().options.url,
      policy: "workflow",
      differences: {},
      claims: { ...PUSH, iss: knownIssuer().options.url, jti: expect.any(String), aud: expect.any(String) },
    };
    expect(record("trail.json").origin).toMatchObject(verified);
    expect(record(`artifacts/${FP}-`).origin).toMatchObject({ state: "different", claims: verified.claims });
    expect(record("attestations/lint-").origin).toMatchObject({
      ...verified,
      state: "different",
      differences: { commit: { said: "2".repeat(40), proven: PUSH.sha } },
    });
    expect(record("attestations/by-hand-")).not.toHaveProperty("origin");
    const ofArtifact = await unpack((await download(`/artifacts/${ORG}/proven/${FP}/audit_package`)).bytes);
    expect(JSON.parse(String(ofArtifact.get("artifact.json"))).origin).toMatchObject({ policy: "workflow" });
  });

  it("is identical byte for byte when nothing was added", async () => {
    const before = await download(trailPackage);
    service.clock.time += 1000;
    const after = await download(trailPackage);
    expect(after.bytes.equals(before.bytes)).toBe(true);
  });

  it("never places a file outside its folder, whatever its name", async () => {
    await pipeline(service).attest("web", "odd", {}, [{ name: "..", content: "x" }]);
    const files = await unpack((await download(`/trails/${ORG}/web/odd/audit_package`)).bytes);
    for (const name of files.keys())
      expect(name).toMatch(/^log\/|^[\w-]+(\.json|\.html|\/[\w-]+(\.json|\/\d+-[^/]*))$/);
  });

  it.each([
    ["nowhere/v1", `Flow named 'nowhere' does not exist for organization '${ORG}'`],
    ["web/none", `Trail with name 'none' does not exist for Organization '${ORG}' and Flow 'web'`],
  ])("reports which %s does not exist", async (path, message) => {
    expectRefusal(await send(service, { path: `/trails/${ORG}/${path}/audit_package` }), 404, message);
  });
});

describe("the audit package of an artifact", () => {
  it("contains the artifact and its attestations, not those of the trail", async () => {
    const { status, bytes } = await download(artifactPackage);
    const files = await unpack(bytes);
    expect(status).toBe(200);
    expect(JSON.parse(String(files.get("artifact.json")))).toMatchObject({
      fingerprint: FP,
      trail_name: "v1",
    });
    const names = [...files.keys()].filter((name) => name.startsWith("attestations/"));
    expect(names.map((name) => name.replace(/-.*/, ""))).toEqual([
      "attestations/unit",
      "attestations/unit",
      "attestations/scan",
    ]);
    expect(JSON.parse(String(files.get("manifest.json")))).toMatchObject({ flow: "web", fingerprint: FP });
  });

  it("reports a missing artifact", async () => {
    expectRefusal(
      await send(service, { path: `/artifacts/${ORG}/web/beef1/audit_package` }),
      404,
      `Artifact with fingerprint 'beef1' does not exist in flow 'web' belonging to organization '${ORG}'`,
    );
  });
});

it("a reader that disconnects in the middle does not harm the service", async () => {
  const answer = await request(`${service.address}/api/v2${trailPackage}`, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.reader}` },
  });
  answer.body.on("error", () => undefined);
  answer.body.destroy();
  expect((await download(artifactPackage)).status).toBe(200);
});
