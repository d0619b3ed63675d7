import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, namePattern, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { delivered } = pipeline(target);

const SCHEMA = { type: "object", properties: { percent: { type: "number" } }, required: ["percent"] };
const creating = (name = unique("type")) => ({ body: { name } });
const unknown = (name: string) => `Custom attestation type '${name}' does not exist for org '${org}'`;

async function create(rules?: string[]) {
  const name = unique("type");
  await client.createCustomAttestationType({
    body: { name, description: "d", ...(rules && { evaluator: { contentType: "jq", rules } }) },
    files: { typeSchema: textFile("schema.json", JSON.stringify(SCHEMA)) },
  });
  return name;
}

describe("a custom attestation type", () => {
  it("is created, and created again as a new version", async () => {
    const name = unique("type");
    const create = (rules: string[]) =>
      client.createCustomAttestationType({
        body: { name, description: "d", evaluator: { contentType: "jq", rules } },
        files: { typeSchema: textFile("schema.json", JSON.stringify(SCHEMA)) },
      });
    const reply = await create([".percent >= 80"]);
    expect([reply.status, reply.body]).toEqual([201, "OK"]);
    expect((await create([".percent >= 90"])).status).toBe(201);
    const { body } = await client.getCustomAttestationType({ customAttestationTypeName: name });
    expect(body).toMatchObject({
      name,
      description: "d",
      archived: false,
      org,
      createdBy: expect.any(String),
      createdAt: expect.any(Number),
      lastModifiedAt: expect.any(Number),
      versions: [
        { version: 2, typeSchema: SCHEMA, evaluator: { contentType: "jq", rules: [".percent >= 90"] } },
        { version: 1, typeSchema: SCHEMA, evaluator: { contentType: "jq", rules: [".percent >= 80"] } },
      ],
    });
    const { body: first } = await client.getCustomAttestationType({
      customAttestationTypeName: name,
      version: 1,
    });
    expect(first.versions).toMatchObject([{ version: 1 }]);
    expect(Object.keys(first).toSorted()).toEqual(["archived", "name", "org", "versions"]);
    const { body: listed } = await client.listCustomAttestationTypes({});
    expect(listed.find((each) => each.name === name)).toMatchObject({ name, archived: false });
  });

  it("has a description only when one was given", async () => {
    const described = async (given: object) => {
      const name = unique("type");
      await ask("createCustomAttestationType", { body: { name, ...given } });
      const { body } = await ask("getCustomAttestationType", {
        params: { custom_attestation_type_name: name },
      });
      const { body: all } = await ask("listCustomAttestationTypes");
      expect(all.find((type: { name: string }) => type.name === name)).toEqual(body);
      return Object.hasOwn(body, "description") ? body.description : "absent";
    };
    expect(await described({})).toBe("absent");
    expect(await described({ description: null })).toBe("absent");
    expect(await described({ description: "" })).toBe("");
    expect(await described({ description: "d" })).toBe("d");
  });

  it("needs neither schema nor rules", async () => {
    const name = unique("type");
    expect((await ask("createCustomAttestationType", creating(name))).status).toBe(201);
    const { body } = await client.getCustomAttestationType({ customAttestationTypeName: name });
    expect(body.versions).toMatchObject([{ version: 1, evaluator: { contentType: "default" } }]);
  });

  it.each<[object | null, object]>([
    [{ rules: [".a"] }, { contentType: "jq", rules: [".a"] }],
    [{ content_type: "default" }, { contentType: "default" }],
    [{ content_type: "default", rules: [".a"] }, { contentType: "default" }],
    [null, { contentType: "default" }],
  ])("with the evaluator %j is evaluated by %j", async (evaluator, expected) => {
    const name = unique("type");
    expect((await ask("createCustomAttestationType", { body: { name, evaluator } })).status).toBe(201);
    const { body } = await client.getCustomAttestationType({ customAttestationTypeName: name });
    expect(body.versions?.[0]?.evaluator).toEqual(expected);
  });

  it("defines the summary of its attestations", async () => {
    const [name, summary] = [unique("type"), [{ name: "lines", expression: ".percent" }]];
    await client.createCustomAttestationType({ body: { name, summary } });
    const { body } = await client.getCustomAttestationType({ customAttestationTypeName: name });
    expect(body.versions).toMatchObject([{ summary }]);
  });

  it("that was archived is restored when it is created again", async () => {
    const name = await create();
    await client.archiveCustomAttestationType({ customAttestationTypeName: name });
    const archived = await client.getCustomAttestationType({ customAttestationTypeName: name });
    expect(archived.body.archived).toBe(true);
    await client.createCustomAttestationType({ body: { name } });
    const { body } = await client.getCustomAttestationType({ customAttestationTypeName: name });
    expect([body.archived, body.versions?.map(({ version }) => version)]).toEqual([false, [2, 1]]);
  });

  it("is archived and leaves the list", async () => {
    const name = await create();
    const reply = await client.archiveCustomAttestationType({ customAttestationTypeName: name });
    expect([reply.status, reply.body]).toEqual([200, "OK"]);
    const { body } = await client.listCustomAttestationTypes({});
    expect(body.map((each) => each.name)).not.toContain(name);
  });

  it("is refused by a name or version that does not exist", async () => {
    const [none, name] = [unique("none"), await create()];
    const get = (customAttestationTypeName: string, query: object = {}) =>
      client.getCustomAttestationType({ customAttestationTypeName, ...query });
    await expectRefusal(get(none), 404, unknown(none));
    const call = client.archiveCustomAttestationType({ customAttestationTypeName: none });
    await expectRefusal(call, 404, unknown(none));
    const message = `version 9 does not exist for custom attestation type '${name}'`;
    await expectRefusal(get(name, { version: 9 }), 404, message);
  });

  it.each([
    ["a schema that is not JSON", {}, "{"],
    ["an invalid schema", {}, '{"type": "nothing"}'],
    ["an invalid jq rule", { evaluator: { content_type: "jq", rules: [".a |"] } }, "{}"],
  ])("is refused with %s", async (_, more, text) => {
    const files = { type_schema: { name: "schema.json", text } };
    const body = { ...creating().body, ...more };
    expect((await ask("createCustomAttestationType", { body, files })).status).toBe(400);
  });

  invalidBodies(target, "createCustomAttestationType", () => creating(), [
    [{ name: undefined }, "name", REQUIRED],
    [{ description: 7 }, "description", "Input should be a valid string"],
    [{ evaluator: { content_type: "jq" } }, "evaluator.rules", REQUIRED],
    [
      { evaluator: { content_type: "rego", rules: [".a"] } },
      "evaluator.content_type",
      "Input should be 'jq'",
    ],
    [{ summary: [{ name: "a" }] }, "summary[0].expression", REQUIRED],
    [{ other: 1 }, "other", EXTRA],
  ]);
  namePattern(
    target,
    "createCustomAttestationType",
    "name",
    { within: "-_~", never: "./:,", plainStart: true },
    (build) => creating(build(unique("type"))),
  );
});

describe("attesting with a custom type", () => {
  const attest = async (typeName: string, data: Record<string, unknown>) => {
    const { flow: flowName, trail: trailName } = await delivered();
    const attestationName = unique("custom");
    await client.attestCustom({
      flowName,
      trailName,
      body: { attestationName, typeName, attestationData: data },
    });
    const { body } = await client.listTrailAttestations({ flowName, trailName, attestationName });
    return body[0];
  };

  it.each([
    [[".percent >= 80"], 81, true],
    [[".percent >= 80"], 79, false],
    [[".percent >= 80", ".percent < 90"], 95, false],
    [undefined, 0, true],
  ])("follows its rules: %j of %d is %s", async (rules, percent, isCompliant) => {
    const name = await create(rules);
    expect(await attest(name, { percent })).toMatchObject({
      attestationType: `custom:${name}`,
      isCompliant,
    });
  });

  it.each([".percent", ".percent | error"])(
    "is not compliant if the rule %s gives no result",
    async (rule) => {
      const record = await attest(await create([rule]), { percent: 1 });
      expect(record).toMatchObject({ isCompliant: false, evaluationError: expect.any(String) });
    },
  );

  it("is refused for data that does not match the schema, and for an unknown or archived type", async () => {
    await expectInvalid(attest(await create(), { other: 1 }).then(unexpected), {
      attestation_data: "Input should have required property 'percent'",
    });
    const none = unique("none");
    await expectRefusal(attest(none, { percent: 1 }).then(unexpected), 404, unknown(none));
    const archived = await create();
    await client.archiveCustomAttestationType({ customAttestationTypeName: archived });
    const message = `Custom attestation type '${archived}' has been archived for org '${org}'`;
    await expectRefusal(attest(archived, { percent: 1 }).then(unexpected), 404, message);
  });
});

function unexpected(): never {
  throw new Error("the attestation was recorded");
}
