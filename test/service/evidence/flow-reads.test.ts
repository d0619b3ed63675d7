import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseTemplate, TemplateError } from "../../../src/service/evidence/flows/template-upload.ts";
import { expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const get = (path: string) => send(service, { path });
const put = (path: string, json?: unknown) => send(service, { method: "PUT", path, json });
const namesOf = (body: { name: string }[]) => body.map(({ name }) => name);

describe("getting a flow", () => {
  it("returns all its fields, and the template unchanged", async () => {
    const yaml = "version: 1\ntrail:\n  attestations: [{name: lint, type: generic}]\n";
    await pipeline(service).flow("written", yaml);
    const { status, body } = await get(`/flows/${ORG}/written`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}$/),
        name: "written",
        description: "",
        visibility: "private",
        org: ORG,
        template: yaml,
        repo_url: null,
        tags: {},
        latest_activity_at: null,
        latest_state: null,
        archived: false,
      },
    });
  });

  it("returns a template that can be sent back for a flow that an attestation created", async () => {
    await pipeline(service).attest("made", "t");
    expect((await get(`/flows/${ORG}/made`)).body.template).toBe("version: 1");
  });

  it("returns the state of the trail that was last changed", async () => {
    const { trail, attest } = pipeline(service);
    await pipeline(service).flow("busy");
    await trail("busy", "first");
    service.clock.time += 10;
    await trail("busy", "second");
    service.clock.time += 10;
    await attest("busy", "first", { is_compliant: false });
    expect((await get(`/flows/${ORG}/busy`)).body).toMatchObject({
      latest_state: "NON-COMPLIANT",
      latest_activity_at: service.clock.time,
    });
    service.clock.time += 10;
    await attest("busy", "second");
    expect((await get(`/flows/${ORG}/busy`)).body.latest_state).toBe("COMPLIANT");
  });
});

describe("listing flows", () => {
  beforeAll(async () => {
    for (const name of ["list-b", "list-A", "list-c", "list-a_~"]) await pipeline(service).flow(name);
  });
  const found = async (query: string) => (await get(`/flows/${ORG}?${query}`)).body;

  it("returns them sorted by name, like single flows", async () => {
    const { body } = await get(`/flows/${ORG}`);
    expect(namesOf(body)).toEqual(namesOf(body).toSorted());
    expect(body).toContainEqual((await get(`/flows/${ORG}/list-b`)).body);
  });

  it.each([
    ["search_by_name=list-a", ["list-a_~"]],
    ["search_by_name=list-A", ["list-A"]],
    ["search_by_name=LIST-a&case_sensitive=false", ["list-A", "list-a_~"]],
    ["search_by_name=_~", ["list-a_~"]],
    ["search_by_name=ist-c", ["list-c"]],
    ["search_by_name=no-such", []],
  ])("finds by a part of the name: %s", async (query, names) => {
    expect(namesOf(await found(query))).toEqual(names);
  });
});

describe("renaming a flow", () => {
  const rename = (name: string, newName: unknown) =>
    put(`/flows/${ORG}/${name}/rename`, { new_name: newName });

  it("keeps its content, under the new name and the old one", async () => {
    await pipeline(service).trail("made", "kept");
    expect(await rename("made", "renamed")).toMatchObject({ status: 200, body: "OK" });
    for (const name of ["made", "renamed"]) {
      expect((await get(`/flows/${ORG}/${name}`)).body.name).toBe("renamed");
      expect((await get(`/trails/${ORG}/${name}/kept`)).status).toBe(200);
    }
    await pipeline(service).attest("made", "later");
    expect((await get(`/trails/${ORG}/renamed/later`)).status).toBe(200);
    expect(namesOf((await get(`/flows/${ORG}?search_by_name=made`)).body)).toEqual([]);
  });

  it("gives up the old name as soon as another flow takes it", async () => {
    await pipeline(service).flow("old");
    await rename("old", "new");
    expect((await pipeline(service).flow("old")).status).toBe(201);
    expect((await get(`/flows/${ORG}/old`)).body.name).toBe("old");
    await rename("old", "older");
    await pipeline(service).flow("other");
    expect((await rename("other", "old")).status).toBe(200);
    expect((await get(`/flows/${ORG}/old`)).body.name).toBe("old");
    expect((await get(`/flows/${ORG}/other`)).body.name).toBe("old");
  });

  it("can go back to an earlier name, and to its own", async () => {
    await pipeline(service).flow("back");
    await rename("back", "forth");
    expect((await rename("forth", "back")).status).toBe(200);
    expect((await rename("back", "back")).status).toBe(200);
    expect((await get(`/flows/${ORG}/forth`)).body.name).toBe("back");
  });
});

describe("archiving a flow", () => {
  const archived = `Flow named 'gone' has been archived for organization '${ORG}'`;
  beforeAll(async () => {
    await pipeline(service).trail("gone", "t");
    await pipeline(service).attest("gone", "t");
    expect(await put(`/flows/${ORG}/gone/archive`)).toMatchObject({ status: 200, body: "OK" });
  });

  it("removes it from the lists, while its content can still be read", async () => {
    expect((await get(`/flows/${ORG}?search_by_name=gone`)).body).toEqual([]);
    expect((await get(`/flows/${ORG}/gone`)).body.archived).toBe(true);
    expect((await get(`/trails/${ORG}/gone/t`)).status).toBe(200);
  });

  it("prevents additions", async () => {
    const { trail, attest, artifact } = pipeline(service);
    expectRefusal(await trail("gone", "u"), 404, archived);
    expectRefusal(await attest("gone", "t", { description: "late" }), 404, archived);
    expectRefusal(await artifact("gone", "t"), 404, archived);
    expectRefusal(await artifact("gone", undefined), 404, archived);
    expectRefusal(await put(`/flows/${ORG}/gone/rename`, { new_name: "x" }), 404, archived);
  });

  it("can be repeated, and undone by creating the flow", async () => {
    expect((await put(`/flows/${ORG}/gone/archive`)).status).toBe(200);
    expect((await pipeline(service).flow("gone")).status).toBe(200);
    expect((await pipeline(service).attest("gone", "t")).status).toBe(201);
    expect(namesOf((await get(`/flows/${ORG}?search_by_name=gone`)).body)).toEqual(["gone"]);
  });
});

describe("the schema of flow templates", () => {
  it("is served at its own address", async () => {
    const { body } = await get("/schemas/flow-template/v1");
    expect(body.$id).toBe(`${service.address}/api/v2/schemas/flow-template/v1`);
  });

  it("accepts and refuses the same templates as the service", async () => {
    const { status, body } = await get("/schemas/flow-template/v1");
    expect({ status, dialect: body.$schema }).toEqual({
      status: 200,
      dialect: "https://json-schema.org/draft/2020-12/schema",
    });
    const fits = new Ajv2020().compile(body);
    const reads = (yaml: string) => {
      try {
        return parseTemplate(yaml) !== undefined;
      } catch (error) {
        if (error instanceof TemplateError) return false;
        throw error;
      }
    };
    const templates = {
      "version: 1": true,
      "trail: {attestations: [{name: a, type: generic}]}": true,
      "version: 1\ntrail: {artifacts: [{name: web, attestations: [{name: b, type: 'custom:x'}]}]}": true,
      "trail: null": true,
      "version: 2": false,
      "{version: 1, other: 1}": false,
      "trail: {attestations: [{name: a.b, type: generic}]}": false,
      "trail: {attestations: [{name: a, type: nonsense}]}": false,
      "trail: {artifacts: [{attestations: []}]}": false,
    };
    for (const [yaml, isTemplate] of Object.entries(templates)) {
      expect([yaml, fits(parse(yaml)), reads(yaml)]).toEqual([yaml, isTemplate, isTemplate]);
    }
  });
});

it("a flow may be called like a part of a path", async () => {
  await pipeline(service).flow("template_file");
  expect((await get(`/flows/${ORG}/template_file`)).body.name).toBe("template_file");
  await pipeline(service).artifact("template_file", "t");
  expect((await get(`/artifacts/${ORG}/template_file/fingerprint/${FP}`)).status).toBe(200);
});
