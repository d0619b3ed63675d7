import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, FP, pipeline, type RequestToSend, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let attestationName = "";
let count = 0;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).artifact("web", "t1");
});
afterAll(() => service.dispose());
beforeEach(() => {
  attestationName = `scan-${++count}`;
});

const attest = (more: object = {}, extra: Partial<RequestToSend> = {}) =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/web/trail/t1/generic`,
    form: { attestation_name: attestationName, is_compliant: true, artifact_fingerprint: FP, ...more },
    ...extra,
  });
const recorded = async () =>
  (await pipeline(service).attestations("web", FP, attestationName)).body.map(
    (record: { is_compliant: boolean }) => record.is_compliant,
  );
const withKey = (key: string) => ({ headers: { "idempotency-key": key } });

describe("an equal request of the same API key", () => {
  it("is answered as the first and recorded once, though the form's boundary differs", async () => {
    const [first, second] = [await attest(), await attest()];
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(await recorded()).toEqual([true]);
  });

  it("is a new record after ten minutes", async () => {
    await attest();
    service.clock.time += 599;
    await attest();
    expect(await recorded()).toHaveLength(1);
    service.clock.time += 2;
    await attest();
    expect(await recorded()).toHaveLength(2);
  });

  it("is a new record when another API key sends it", async () => {
    await attest();
    await attest({}, { key: service.keys.admin });
    expect(await recorded()).toHaveLength(2);
  });

  it("is a new record when only an attachment differs", async () => {
    await attest({}, { files: [{ name: "a.txt", content: "1" }] });
    await attest({}, { files: [{ name: "a.txt", content: "2" }] });
    expect(await recorded()).toHaveLength(2);
  });

  it("is a new record once something else was recorded in between, so that the latest state counts", async () => {
    await attest({ is_compliant: true });
    await attest({ is_compliant: false });
    await attest({ is_compliant: true });
    expect(await recorded()).toEqual([true, false, true]);
  });

  it("is not a repeat of a refused request", async () => {
    const unknown = { artifact_fingerprint: "b".repeat(64) };
    expect((await attest(unknown)).status).toBe(404);
    await pipeline(service).artifact("web", "t1", { fingerprint: "b".repeat(64), filename: "late" });
    expect((await attest(unknown)).status).toBe(201);
  });
});

describe("an Idempotency-Key", () => {
  it("records a request once within a day", async () => {
    await attest({}, withKey("k1"));
    service.clock.time += 24 * 3600 - 1;
    expect((await attest({}, withKey("k1"))).status).toBe(201);
    expect(await recorded()).toHaveLength(1);
    service.clock.time += 2;
    await attest({}, withKey("k1"));
    expect(await recorded()).toHaveLength(2);
  });

  it("answers a retry as the first even after something else was recorded", async () => {
    await attest({ is_compliant: true }, withKey("k2"));
    await attest({ is_compliant: false }, withKey("k3"));
    await attest({ is_compliant: true }, withKey("k2"));
    expect(await recorded()).toEqual([false, true]);
  });

  it("is refused with another request", async () => {
    await attest({}, withKey("k4"));
    expectRefusal(
      await attest({ is_compliant: false }, withKey("k4")),
      422,
      "Idempotency-Key was used with another request",
    );
    expect(await recorded()).toEqual([true]);
  });

  it("belongs to the API key that sent it", async () => {
    await attest({}, withKey("k5"));
    expect(
      (await attest({ is_compliant: false }, { ...withKey("k5"), key: service.keys.admin })).status,
    ).toBe(201);
  });

  it("is ignored if empty", async () => {
    await attest({ is_compliant: true }, withKey(""));
    expect((await attest({ is_compliant: false }, withKey(""))).status).toBe(201);
    expect(await recorded()).toEqual([false, true]);
  });

  it("records once when many requests use it at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attest({}, withKey("k6"))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await recorded()).toHaveLength(1);
  });

  it("of a repeat answered by its content applies to later retries too", async () => {
    await attest({}, withKey("k7"));
    await attest({}, withKey("k8"));
    service.clock.time += 3600;
    await attest({}, withKey("k8"));
    expect(await recorded()).toHaveLength(1);
  });
});

it("a repeated report of an artifact is recorded once", async () => {
  const report = () => pipeline(service).artifact("repeat", "t1");
  await report();
  expect((await report()).body).toEqual({ message: "OK" });
  const { body } = await pipeline(service).assert(FP, "?flow_name=repeat");
  expect(body.flows).toHaveLength(1);
});
