import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { MAX_JSON_PART_BYTES } from "../../../src/api/operation.ts";
import { BASE_BYTES } from "../../../src/service/http/body-memory.ts";
import type { ServiceLimits } from "../../../src/service/http/limits.ts";
import { type HeldRequest, hold } from "../held-request.ts";
import { END_OF_FORM, FORM_TYPE, part } from "../hostile/targets.ts";
import { FP, pipeline, send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";

const MB = 1024 * 1024;

const started: TestService[] = [];
const held: HeldRequest[] = [];
afterEach(async () => {
  for (const request of held.splice(0)) request[Symbol.dispose]();
  for (const service of started.splice(0)) await service.dispose();
});

async function start(limits: Partial<ServiceLimits> = {}) {
  const service = await startTestService(limits);
  started.push(service);
  const incoming = join(service.dataFolder, "incoming");
  const filesOnTheWay = async () =>
    Promise.all((await readdir(incoming)).map((name) => stat(join(incoming, name))));
  const holdBody = async (body: Uint8Array, org = ORG, key = service.keys.member) => {
    const request = await hold({
      address: service.address,
      method: "PUT",
      target: `/api/v2/environments/${org}/prod/report/K8S`,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
    held.push(request);
    return request;
  };
  const keyOf = async (account: string): Promise<string> => {
    const path = `/service-accounts/${ORG}/${account}/api-keys`;
    const json = { description: "another one" };
    const { body } = await send(service, { method: "POST", path, json, key: service.keys.admin });
    return body.key;
  };
  const fourKeys = () => Promise.all(["member", "member", "admin", "admin"].map(keyOf));
  /** Sends files of an attestation without its last byte. */
  const holdFiles = async (sizes: readonly number[], { org = ORG, key = service.keys.member } = {}) => {
    const data = { attestation_name: "large", is_compliant: true };
    const files = sizes.map((size, index) =>
      part(`name="attachment_file.${index}"; filename="${index}.bin"`, Buffer.alloc(size, index)),
    );
    const request = await hold({
      address: service.address,
      method: "POST",
      target: `/api/v2/attestations/${org}/web/trail/t1/generic`,
      headers: { authorization: `Bearer ${key}`, "content-type": FORM_TYPE },
      body: Buffer.concat([part('name="data_json"', JSON.stringify(data)), ...files, END_OF_FORM]),
    });
    held.push(request);
    return request;
  };
  const bytesOnTheWay = async () => (await filesOnTheWay()).reduce((sum, { size }) => sum + size, 0);
  return { service, filesOnTheWay, bytesOnTheWay, holdBody, holdFiles, fourKeys };
}

/** A report of at least this many bytes. */
function report(bytes: number): Buffer {
  const podName = "p".repeat(4_000);
  const pod = { podName, namespace: "n", digests: { web: FP }, creationTimestamp: 1 };
  const artifacts = Array.from({ length: Math.ceil(bytes / 4_000) }, (_, i) => ({
    ...pod,
    namespace: `n${i}`,
  }));
  return Buffer.from(JSON.stringify({ artifacts }));
}

describe("a body of more than 1 MB", () => {
  it("is on disk while it arrives, readable by the service only, and removed when it is answered", async () => {
    const { service, filesOnTheWay, holdBody } = await start();
    await pipeline(service).environment("prod");
    const request = await holdBody(report(3 * MB));
    await expect.poll(filesOnTheWay).toEqual([expect.objectContaining({ mode: 0o100600 })]);
    await expect.poll(async () => (await filesOnTheWay())[0]?.size).toBeGreaterThan(2.9 * MB);
    expect(await request.finish()).toMatchObject({ status: 201 });
    expect(await filesOnTheWay()).toEqual([]);
    const { body } = await send(service, { path: `/snapshots/${ORG}/prod/-1` });
    expect(body.artifacts[0].creationTimestamp).toHaveLength(Math.ceil((3 * MB) / 4_000));
  });

  it("is removed when its sender disconnects", async () => {
    const { filesOnTheWay, holdBody } = await start();
    const request = await holdBody(report(2 * MB));
    await expect.poll(filesOnTheWay).toHaveLength(1);
    request[Symbol.dispose]();
    await expect.poll(filesOnTheWay).toEqual([]);
  });

  it("may be a part of a form", async () => {
    const { service, filesOnTheWay } = await start();
    const data = { attestation_name: "large", is_compliant: true, user_data: { text: "x".repeat(3 * MB) } };
    expect(JSON.stringify(data).length).toBeLessThan(MAX_JSON_PART_BYTES);
    const request = await hold({
      address: service.address,
      method: "POST",
      target: `/api/v2/attestations/${ORG}/web/trail/t1/generic`,
      headers: { authorization: `Bearer ${service.keys.member}`, "content-type": FORM_TYPE },
      body: Buffer.concat([part('name="data_json"', JSON.stringify(data)), END_OF_FORM]),
    });
    held.push(request);
    await expect.poll(filesOnTheWay).toEqual([expect.objectContaining({ mode: 0o100600 })]);
    expect(await request.finish()).toMatchObject({ status: 201 });
    expect(await filesOnTheWay()).toEqual([]);
  });
});

describe("bodies that fill the memory", () => {
  it("refuse further ones of their organization with 503 until one is answered, and no other organization's", async () => {
    const { service, filesOnTheWay, holdBody, fourKeys } = await start({ bodyMemory: 8 * BASE_BYTES });
    await pipeline(service).environment("prod");
    const requests: HeldRequest[] = [];
    for (const key of await fourKeys()) {
      requests.push(await holdBody(report(1.1 * MB), ORG, key));
      await expect.poll(filesOnTheWay).toHaveLength(requests.length);
    }
    const attempt = () => pipeline(service).report("prod", []);
    const { status, body, headers } = await attempt();
    expect([status, body, headers["retry-after"]]).toEqual([
      503,
      {
        code: "limit.body_memory",
        message: "The service has no memory for another body right now: try again",
      },
      "1",
    ]);
    expect((await send(service, { path: `/environments/${ORG}` })).status, "no body").toBe(200);
    const other = await holdBody(report(0), OTHER_ORG, service.keys.stranger);
    expect(await other.finish()).toMatchObject({ status: 404 });
    expect(await requests[0]?.finish()).toMatchObject({ status: 201 });
    expect((await attempt()).status).toBe(201);
  });

  it("go to disk before they are larger than 1 MB", async () => {
    const { service, filesOnTheWay, holdBody } = await start({ bodyMemory: 8 * BASE_BYTES });
    await pipeline(service).environment("prod");
    const request = await holdBody(report(0.6 * MB));
    await expect.poll(filesOnTheWay).toHaveLength(1);
    expect(await request.finish()).toMatchObject({ status: 201 });
  });
});

describe("one key", () => {
  it("has a quarter of its organization's memory, however many bodies it starts", async () => {
    const { service, holdBody, fourKeys } = await start({ bodyMemory: 32 * BASE_BYTES });
    await pipeline(service).environment("prod");
    const [key = "", other] = await fourKeys();
    const requests = await Promise.all(
      Array.from({ length: 6 }, () => holdBody(Buffer.from("{}"), ORG, key)),
    );
    const first = await holdBody(report(0), ORG, other);
    expect(await first.finish()).toMatchObject({ status: 201 });
    const answers = await Promise.all(requests.map((request) => request.finish()));
    expect(answers.map((answer) => answer?.status).sort()).toEqual([400, 400, 400, 400, 503, 503]);
  });

  it("has a quarter of its organization's disk, or one request that is larger", async () => {
    const { bytesOnTheWay, holdFiles, fourKeys } = await start({ bodyDisk: 32 * MB });
    const [key = "", other = ""] = await fourKeys();
    const large = await holdFiles([3 * MB, 3 * MB], { key });
    await expect.poll(bytesOnTheWay).toBe(6 * MB);
    const refused = await (await holdFiles([1 * MB], { key })).finish();
    expect(refused).toMatchObject({
      status: 503,
      head: expect.stringMatching(/retry-after: 1/i),
      text: '{"message":"The service has no disk space for this upload right now: try again","code":"limit.body_disk"}',
    });
    const otherRequest = await holdFiles([3 * MB], { key: other });
    expect(await otherRequest.finish()).toMatchObject({ status: 201 });
    expect(await large.finish()).toMatchObject({ status: 201 });
    expect(await (await holdFiles([1 * MB], { key })).finish()).toMatchObject({ status: 201 });
  });
});

it("uploads of one organization fill at most half of the disk, and leave room for another", async () => {
  const { service, bytesOnTheWay, holdFiles, fourKeys } = await start({ bodyDisk: 32 * MB });
  for (const key of await fourKeys()) await holdFiles([3 * MB, 3 * MB], { key });
  await expect.poll(bytesOnTheWay).toBe(12 * MB);
  const refused = await holdFiles([5 * MB]);
  expect(await refused.finish()).toMatchObject({ status: 503 });
  expect(await bytesOnTheWay()).toBeLessThanOrEqual(16 * MB);
  const key = service.keys.stranger;
  const request = await holdFiles([6 * MB, 6 * MB], { org: OTHER_ORG, key });
  expect(await request.finish()).toMatchObject({ status: 201 });
});

it("a stalled body ends with 408 and leaves nothing behind", async () => {
  const { filesOnTheWay, holdFiles } = await start({ bodyGrace: 0 });
  const request = await holdFiles([100]);
  expect(await request.ended).toMatchObject({
    status: 408,
    text: '{"message":"The request did not arrive in time","code":"request.timeout"}',
  });
  await expect.poll(filesOnTheWay).toEqual([]);
});
