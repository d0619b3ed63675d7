import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { sendRaw } from "../hostile/raw-request.ts";
import { expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const polluted = (text: string) => JSON.parse(`{"__proto__":${text}}`);

describe("a key named __proto__", () => {
  it("is stored in data, links and annotations of an attestation", async () => {
    const { attest, trail } = pipeline(service);
    await trail("web", "t1");
    const userData = { ...polluted('{"a":1}'), nested: polluted("[2]") };
    const given = {
      user_data: userData,
      annotations: polluted('"noted"'),
      external_urls: polluted('"https://ci.example/1"'),
    };
    expect((await attest("web", "t1", { attestation_name: "proto", ...given })).status).toBe(201);
    const [record] = (await attestations(service).ofTrail("web", "proto", "t1")).body;
    expect(JSON.stringify(record.user_data)).toBe('{"__proto__":{"a":1},"nested":{"__proto__":[2]}}');
    expect(JSON.stringify(record.annotations)).toBe('{"__proto__":"noted"}');
    expect(Object.keys(record.external_urls)).toEqual(["__proto__"]);
  });

  it("is stored beside a field that is filled in", async () => {
    const text = `{"name":"SDLC-7","identifier":"SDLC-7","links":{"__proto__":"https://a.example/1"}}`;
    await send(service, {
      method: "POST",
      path: `/controls/${ORG}`,
      json: JSON.parse(text),
      key: service.keys.admin,
    });
    const { body } = await send(service, { path: `/controls/${ORG}/SDLC-7` });
    expect(JSON.stringify(body.links)).toBe('{"__proto__":"https://a.example/1"}');
  });

  it("is stored as the name of an artifact that runs", async () => {
    const { environment, report } = pipeline(service);
    await environment("prod");
    const pod = { podName: "p", namespace: "n", digests: polluted(`"${FP}"`), creationTimestamp: 1 };
    expect((await report("prod", [pod], { type: undefined })).status).toBe(201);
    const { body } = await send(service, { path: `/snapshots/${ORG}/prod/-1` });
    expect(body.artifacts.map(({ name }: { name: string }) => name)).toEqual(["__proto__"]);
  });

  it("is refused where no further fields are allowed", async () => {
    const answer = await send(service, {
      method: "PUT",
      path: `/environments/${ORG}`,
      json: { name: "staging", type: "K8S", description: "", ...polluted("1") },
    });
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 400,
      text: '{"message":"Input payload validation failed","code":"request.field_invalid","errors":{"__proto__":"Extra inputs are not permitted [input: 1]"}}',
    });
  });
});

describe("minus zero", () => {
  it("is unchanged in data, and is a zero where a number is expected", async () => {
    const form = `{"attestation_name":"zero","user_data":{"a":-0,"b":[-0.0],"c":-0.5},"junit_results":[
      {"name":"s","failures":-0,"errors":0,"skipped":0,"total":1,"duration":-0.00}]}`;
    const path = `/attestations/${ORG}/web/trail/t1/junit`;
    const { status, text } = await send(service, { method: "POST", path, form });
    expect(status, text).toBe(201);
    const stored = (await attestations(service).ofTrail("web", "zero", "t1")).text;
    expect(stored).toContain('"user_data":{"a":-0,"b":[-0.0],"c":-0.5}');
    expect(stored).toMatch(/"duration":0[,}]/);
  });
});

describe("a path with dot segments", () => {
  it.each(["..", ".", "%2e%2e", ".%2E", "%2e"])("is not found, wherever it would lead: %s", async (dots) => {
    for (const path of [`/flows/x/${dots}/${ORG}`, `/flows/${ORG}/${dots}`, `/flows/${dots}`]) {
      expectRefusal(await ask(path), 404, `Not found: GET /api/v2${path}`);
    }
  });

  it("is a plain path where dots are only part of a name", async () => {
    expectRefusal(
      await ask(`/flows/${ORG}/..a`),
      404,
      `Flow named '..a' does not exist for organization '${ORG}'`,
    );
  });
});

/** The path is sent unchanged: clients would resolve it. */
async function ask(path: string) {
  const { status, text } = await sendRaw(service.address, {
    method: "GET",
    target: `/api/v2${path}`,
    headers: { authorization: `Bearer ${service.keys.member}` },
  });
  return { status, body: JSON.parse(text) };
}
