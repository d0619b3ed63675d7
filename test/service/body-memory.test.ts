import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { MAX_JSON_PART_BYTES } from "../../src/api/operation.ts";
import { BASE_BYTES } from "../../src/service/http/body-memory.ts";
import { type HeldRequest, hold } from "./held-request.ts";
import { END_OF_FORM, FORM_TYPE, part } from "./hostile/targets.ts";
import { FP, pipeline, send } from "./requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "./running-service.ts";

const MB = 1024 * 1024;

const started: TestService[] = [];
const held: HeldRequest[] = [];
afterEach(async () => {
  for (const request of held.splice(0)) request[Symbol.dispose]();
  for (const service of started.splice(0)) await service.dispose();
});

async function start(bodyMemory?: number) {
  const service = await startTestService(bodyMemory === undefined ? {} : { bodyMemory });
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
  return { service, filesOnTheWay, holdBody };
}

/** A report of this many bytes at least. */
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
  it("is on the disk while it comes, for nobody else to read, and gone when it is answered", async () => {
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

  it("is gone as well when its sender is", async () => {
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
  it("keep new ones of their organization out with 503 until one of them is answered, and no other organization", async () => {
    const { service, filesOnTheWay, holdBody } = await start(8 * BASE_BYTES);
    await pipeline(service).environment("prod");
    const requests: HeldRequest[] = [];
    while (requests.length < 4) {
      requests.push(await holdBody(report(1.1 * MB)));
      await expect.poll(filesOnTheWay).toHaveLength(requests.length);
    }
    const attempt = () => pipeline(service).report("prod", []);
    const { status, body, headers } = await attempt();
    expect([status, body, headers["retry-after"]]).toEqual([
      503,
      { message: "The service has no memory for another body just now: try again" },
      "1",
    ]);
    expect((await send(service, { path: `/environments/${ORG}` })).status, "no body").toBe(200);
    const other = await holdBody(report(0), OTHER_ORG, service.keys.stranger);
    expect(await other.finish()).toMatchObject({ status: 404 });
    expect(await requests[0]?.finish()).toMatchObject({ status: 201 });
    expect((await attempt()).status).toBe(201);
  });

  it("go to the disk before they are larger than 1 MB", async () => {
    const { service, filesOnTheWay, holdBody } = await start(8 * BASE_BYTES);
    await pipeline(service).environment("prod");
    const request = await holdBody(report(0.6 * MB));
    await expect.poll(filesOnTheWay).toHaveLength(1);
    expect(await request.finish()).toMatchObject({ status: 201 });
  });
});
