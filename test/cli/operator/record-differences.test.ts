import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyPackage } from "../../../src/cli/operator/verify-package.ts";
import { OPA } from "../../go-programs.ts";
import { send } from "../../service/requests.ts";
import { ORG, startTestService, type TestService } from "../../service/running-service.ts";
import { succeedingRequests } from "../../service/succeeding-requests.ts";

/** The service derives these when it shows a record: `docs/evidence-log.md` says so. */
const DERIVED =
  /^(schema_version|html_url|api_url|_links|has_audit_package|origin|state|state_info|deployments|releases|evidence|template|approvals|running|exited|history|commit_lead_times|build_lead_times|repo_info|repo_ids|compliance_status|compliance_state|events)$/;
const RECORD = /^(trail\.json|(attestations|artifacts)\/[^/]+\.json)$/;

let service: TestService;
let policy: string;
let files: Map<string, Uint8Array>;
beforeAll(async () => {
  service = await startTestService({}, { opa: OPA });
  await succeedingRequests(service);
  policy = (await send(service, { path: `/log/${ORG}/policy` })).text;
  files = await packageOf("sample");
}, 60_000);
afterAll(() => service.dispose());

async function packageOf(flow: string) {
  const answer = await request(`${service.address}/api/v2/trails/${ORG}/${flow}/sample/audit_package`, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.member}` },
  });
  const entries = await unpackTar(gunzipSync(await answer.body.bytes()));
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

/** Verifies with a manifest that lists what is there, as a forger would write it. */
async function verified(forged: ReadonlyMap<string, Uint8Array>, about: object = {}) {
  const manifest = JSON.parse(Buffer.from(forged.get("manifest.json") ?? []).toString());
  const others = [...forged].filter(([name]) => name !== "manifest.json");
  const listed = others.map(([name, content]) => ({
    ...{ name, size: content.length },
    sha256: createHash("sha256").update(content).digest("hex"),
  }));
  const whole = JSON.stringify({ ...manifest, ...about, files: listed });
  const entries = [...others, ["manifest.json", Buffer.from(whole)] as const];
  const tar = await packTar(entries.map(([name, body]) => ({ header: { name, size: body.length }, body })));
  return verifyPackage(gzipSync(tar), policy);
}

test("each field of each record is compared, except for what the service derives", async () => {
  const unnoticed = new Set<string>();
  for (const [name, content] of files) {
    if (!RECORD.test(name)) continue;
    const record = JSON.parse(Buffer.from(content).toString());
    for (const field of [...Object.keys(record), "new_field"]) {
      const forged = new Map(files);
      forged.set(name, Buffer.from(JSON.stringify({ ...record, [field]: { changed: true } })));
      if ((await verified(forged)).status !== 1) unnoticed.add(field);
    }
  }
  const derived = (field: string) =>
    DERIVED.test(field) || ["last_modified_at", "is_compliant"].includes(field);
  expect([...unnoticed].filter((field) => !derived(field))).toEqual([]);
}, 240_000);

test("the result of an attestation, the names of a trail and its flow are compared", async () => {
  const changes: readonly (readonly [RegExp, (record: Record<string, unknown>) => object])[] = [
    [/^attestations\//, ({ is_compliant }) => ({ is_compliant: !is_compliant })],
    [/^attestations\//, () => ({ trail_name: "other" })],
    [/^attestations\//, () => ({ reported_by: "eve" })],
    [/^artifacts\//, () => ({ filename: "other" })],
    [/^trail\.json/, () => ({ name: "other" })],
    [/^trail\.json/, ({ flow }) => ({ flow: { ...Object(flow), name: "other" } })],
  ];
  for (const [which, change] of changes) {
    const [name = "", content] = [...files].find(([each]) => which.test(each)) ?? [];
    const record = JSON.parse(Buffer.from(content ?? []).toString());
    const forged = new Map([
      ...files,
      [name, Buffer.from(JSON.stringify({ ...record, ...change(record) }))] as const,
    ]);
    expect((await verified(forged)).status, JSON.stringify(change(record))).toBe(1);
  }
});

test("a renamed flow is proven under its new name only", async () => {
  const json = { new_name: "renamed" };
  const answer = await send(service, { method: "PUT", path: `/flows/${ORG}/sample/rename`, json });
  expect(answer.status).toBe(200);
  const renamed = await packageOf("renamed");
  expect(await verified(renamed)).toMatchObject({ status: 0 });
  expect((await verified(renamed, { flow: "sample" })).status).toBe(1);
});
