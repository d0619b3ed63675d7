import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import {
  type InvalidBody,
  invalidBodies,
  invalidQueries,
  namePattern,
  ORDINARY_NAME,
  pagingEdges,
  REQUIRED,
} from "./tables.ts";
import { conformance, type WireRequest } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, delivered } = pipeline(target);

const TEMPLATE = `version: 1
trail:
  attestations: [{ name: review, type: pull_request }]
  artifacts:
    - name: web
      attestations: [{ name: unit, type: junit }]
`;

const legacy = (name = unique("flow")): WireRequest => ({ body: { name, description: "", template: [] } });
const withTemplate = (name = unique("flow")): WireRequest => ({ body: { name, description: "" } });
const unknownFlow = (name: string) => `Flow named '${name}' does not exist for organization '${org}'`;

describe("creating a flow", () => {
  it("answers 201 for a new one and 200 for an update, which replaces its fields", async () => {
    const name = unique("flow");
    const body = { name, description: "first", template: ["artifact", "unit"] };
    const first = await client.createFlow({ body: { ...body, visibility: "public" } });
    expect([first.status, first.body]).toEqual([201, "OK"]);
    const second = await client.createFlow({ body: { ...body, description: "" } });
    expect([second.status, second.body]).toEqual([200, "OK"]);
    const { body: stored } = await client.getFlow({ flowName: name });
    expect(stored).toMatchObject({ name, org, description: "", visibility: "private" });
    expect(stored.template).toEqual(["artifact", "unit"]);
  });

  it("with a template file stores the file unchanged", async () => {
    const name = unique("flow");
    const request = {
      body: { name, description: "d", visibility: "public" as const },
      files: { templateFile: textFile("template.yml", TEMPLATE) },
    };
    expect((await client.createFlowWithTemplate(request)).status).toBe(201);
    const { status, body } = await client.createFlowWithTemplate(request);
    expect([status, body]).toEqual([200, "OK"]);
    const { body: stored } = await client.getFlow({ flowName: name });
    expect(stored).toMatchObject({ name, org, description: "d", visibility: "public", template: TEMPLATE });
  });

  it("needs no visibility, repository or template file, and ignores unknown fields", async () => {
    const name = unique("flow");
    expect((await ask("createFlowWithTemplate", { body: { name, description: "", other: 1 } })).status).toBe(
      201,
    );
    const other = { name: unique("flow"), description: "", template: [], repo_url: "", other: 1 };
    expect((await ask("createFlow", { body: other })).status).toBe(201);
    expect((await client.getFlow({ flowName: name })).body.visibility).toBe("private");
  });

  const common: readonly InvalidBody[] = [
    [{ name: undefined }, "name", REQUIRED],
    [{ name: 7 }, "name", "Input should be a valid string"],
    [{ description: undefined }, "description", REQUIRED],
    [{ visibility: "secret" }, "visibility", "Input should be 'public' or 'private' [input: secret]"],
    [{ visibility: "" }, "visibility", "Input should be 'public' or 'private' [input: ]"],
  ];
  invalidBodies(target, "createFlow", legacy, [
    ...common,
    [{ template: undefined }, "template", REQUIRED],
    [{ template: "artifact" }, "template", "Input should be a valid list"],
    [{ template: [""] }, "template[0]", "String should have at least 1 character"],
    [{ repo_url: "x" }, "repo_url", "Input should be a valid URL [input: x]"],
    [{ repo_url: "javascript:alert(1)" }, "repo_url", "URL scheme should be 'http' or 'https'"],
  ]);
  invalidBodies(target, "createFlowWithTemplate", withTemplate, common);
  namePattern(target, "createFlow", "name", ORDINARY_NAME, (build) => legacy(build(unique("flow"))));
  namePattern(target, "createFlowWithTemplate", "name", ORDINARY_NAME, (build) =>
    withTemplate(build(unique("flow"))),
  );

  it.each([
    ["is not YAML", "trail: [", /./],
    ["is not a mapping", "- a", /./],
    ["has an unknown field", "version: 1\nother: 1\n", /./],
    ["has another version", "version: 2\n", /./],
    ["has an attestation without a type", "trail: {attestations: [{name: a}]}", /./],
    ["has an attestation of an unknown type", "trail: {attestations: [{name: a, type: x}]}", /./],
    ["has an attestation without a name", "trail: {attestations: [{name: '', type: junit}]}", /./],
    ["has an artifact without a name", "trail: {artifacts: [{}]}", /./],
  ])("refuses a template that %s", async (_, text) => {
    const files = { template_file: { name: "t.yml", text } };
    await expectRefusal(
      ask("createFlowWithTemplate", { ...withTemplate(), files }),
      400,
      /^Input payload validation failed/,
    );
  });

  it.each(["generic", "junit", "snyk", "pull_request", "jira", "sonar", "decision", "custom:any", "'*'"])(
    "accepts a template that requires %s",
    async (type) => {
      const text = `trail: {attestations: [{name: a, type: ${type}}]}`;
      const files = { template_file: { name: "t.yml", text } };
      expect((await ask("createFlowWithTemplate", { ...withTemplate(), files })).status).toBe(201);
    },
  );
});

describe("listing flows", () => {
  it("returns all of them as a bare list, or in pages on request", async () => {
    const name = await flow();
    const { body } = await client.listFlows({ searchByName: name });
    expect(body).toMatchObject([{ name, org, description: "", visibility: "private" }]);
    const page = await client.listFlows({ searchByName: name, perPage: 1 });
    expect(page.body).toMatchObject({
      data: [{ name }],
      pagination: { total: 1, page: 1, perPage: 1, pageCount: 1 },
    });
  });

  it("finds a part of the name, case-sensitive by default", async () => {
    const name = await flow();
    const shouted = name.toUpperCase().slice(1);
    const found = async (query: object) => (await client.listFlows(query)).body;
    expect(await found({ searchByName: name.slice(1) })).toHaveLength(1);
    expect(await found({ searchByName: shouted })).toHaveLength(0);
    expect(await found({ searchByName: shouted, caseSensitive: false })).toHaveLength(1);
  });

  it.each([
    ["false", "False", "0", "no", "off", 1],
    ["true", "True", "1", "yes", "on", 0],
  ])("accepts %s as a yes or no, and also %s, %s, %s and %s", async (...cases) => {
    const name = await flow();
    const shouted = name.toUpperCase().slice(1);
    for (const text of cases.slice(0, -1)) {
      const { body } = await ask("listFlows", { query: { search_by_name: shouted, case_sensitive: text } });
      expect({ text, found: body.length }).toEqual({ text, found: cases.at(-1) });
    }
  });

  it("is filtered by several tags at once, with or without their values", async () => {
    const [both, one] = [await flow(), await flow()];
    const key = unique("key");
    const tag = (resourceId: string, setTags: Record<string, string>) =>
      client.updateTags({ resourceType: "flow", resourceId, body: { setTags } });
    await tag(both, { [key]: "a:b", other: "x" });
    await tag(one, { [key]: "c" });
    const named = async (...tags: string[]) =>
      (await ask("listFlows", { query: { tag: tags } })).body.map((each: { name: string }) => each.name);
    expect((await named(key)).toSorted()).toEqual([both, one].toSorted());
    expect(await named(`${key}:a:b`)).toEqual([both]);
    expect(await named(key, "other:x")).toEqual([both]);
    expect(await named(key, "other:y")).toEqual([]);
  });

  it("is filtered by tag, and is sorted by name or by latest activity", async () => {
    const [first, second] = [(await delivered()).flow, (await delivered()).flow];
    const value = unique("tag");
    for (const resourceId of [first, second]) {
      await client.updateTags({ resourceType: "flow", resourceId, body: { setTags: { tier: value } } });
    }
    const named = async (query: object) =>
      (await ask("listFlows", { query: { tag: `tier:${value}`, ...query } })).body.map(
        (each: { name: string }) => each.name,
      );
    const byName = [first, second].toSorted();
    expect(await named({})).toEqual(byName);
    expect(await named({ sort_direction: "desc" })).toEqual(byName.toReversed());
    expect(await named({ sort: "latest_activity", sort_direction: "desc" })).toEqual([second, first]);
  });

  it("refuses an empty part of a name", async () => {
    const message = "Empty string is not allowed for flow names.";
    await expectRefusal(ask("listFlows", { query: { search_by_name: "" } }), 400, message);
  });

  it("is filtered by space: an unknown one has no flows, and an empty one is ignored", async () => {
    const name = await flow();
    const listIn = async (spaceId: string[]) =>
      (await client.listFlows({ searchByName: name, spaceId, page: 1 })).body;
    expect(await listIn([unique("space")])).toMatchObject({ data: [], pagination: { total: 0 } });
    expect(await listIn([""])).toMatchObject({ data: [{ name }] });
  });

  pagingEdges(target, "listFlows", () => ({}), { max: 100 });
  invalidQueries(target, "listFlows", () => ({}), [
    [{ sort: "age" }, "sort", "Input should be 'name' or 'latest_activity' [input: age]"],
    [{ sort_direction: "" }, "sort_direction", "Input should be 'asc' or 'desc' [input: ]"],
    [{ case_sensitive: "maybe" }, "case_sensitive", "Input should be a valid boolean"],
  ]);
});

describe("renaming a flow", () => {
  it("keeps the old name as an alias until another flow takes it", async () => {
    const [oldName, newName] = [await flow(), unique("renamed")];
    expect((await client.renameFlow({ flowName: oldName, body: { newName } })).body).toBe("OK");
    expect((await client.getFlow({ flowName: oldName })).body.name).toBe(newName);
    expect((await client.getFlow({ flowName: newName })).body.name).toBe(newName);
    await client.createFlowWithTemplate({ body: { name: oldName, description: "another" } });
    expect((await client.getFlow({ flowName: oldName })).body).toMatchObject({
      name: oldName,
      description: "another",
    });
  });

  it("is refused for the name of another flow, and ignores unknown fields", async () => {
    const [flowName, taken] = [await flow(), await flow()];
    const rename = (body: object) => ask("renameFlow", { params: { flow_name: flowName }, body });
    await expectInvalid(rename({ new_name: taken }), { new_name: "Another flow has this name" });
    expect((await rename({ new_name: unique("renamed"), other: 1 })).body).toBe("OK");
  });

  it("is refused for a flow that does not exist", async () => {
    const flowName = unique("none");
    const call = client.renameFlow({ flowName, body: { newName: unique("x") } });
    await expectRefusal(call, 404, unknownFlow(flowName));
  });

  const renaming = async () => ({
    params: { flow_name: await flow() },
    body: { new_name: unique("renamed") },
  });
  invalidBodies(target, "renameFlow", renaming, [
    [{ new_name: undefined }, "new_name", REQUIRED],
    [
      { new_name: "a b" },
      "new_name",
      String.raw`String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\.\-_~]*$'`,
    ],
  ]);
  namePattern(target, "renameFlow", "new_name", ORDINARY_NAME, async (build) => ({
    params: { flow_name: await flow() },
    body: { new_name: build(unique("renamed")) },
  }));
});

describe("archiving a flow", () => {
  it("removes it from the lists", async () => {
    const { flow: flowName } = await delivered();
    expect((await client.archiveFlow({ flowName })).body).toBe("OK");
    expect((await client.listFlows({ searchByName: flowName })).body).toEqual([]);
  });

  it("is refused for a flow that does not exist", async () => {
    const flowName = unique("none");
    await expectRefusal(client.archiveFlow({ flowName }), 404, unknownFlow(flowName));
  });
});

it("the error names a flow that does not exist", async () => {
  const flowName = unique("none");
  await expectRefusal(client.getFlow({ flowName }), 404, unknownFlow(flowName));
});

it("the JSON Schema of templates is served for any organization", async () => {
  const { status, body } = await client.getFlowTemplateSchema({});
  expect(status).toBe(200);
  expect(body).toMatchObject({ properties: { version: {}, trail: {} }, additionalProperties: false });
});

it("the error names a form part that is missing or not JSON", async () => {
  await expectInvalid(ask("createFlowWithTemplate", { body: "{" }), { data_json: "" });
  const call = ask("createFlowWithTemplate", { body: "[]" });
  await expectInvalid(call, { data_json: "Input should be a valid dictionary" });
});
