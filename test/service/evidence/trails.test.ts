import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const get = (path: string) => send(service, { path });
const namesOf = (body: { name: string }[]) => body.map(({ name }) => name);
const ID = expect.stringMatching(/^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}$/);
const template = `trail:
  attestations: [{name: lint, type: generic}]
  artifacts: [{name: web, attestations: [{name: unit, type: generic}]}]
`;

describe("getting a trail", () => {
  const commit = { sha1: COMMIT, message: "m", author: "A <a@x.example>", branch: "main", timestamp: 7 };
  const repo = { name: "acme/web", url: "https://github.com/acme/web", id: "42" };
  beforeAll(async () => {
    await pipeline(service).flow("web", template);
    await pipeline(service).trail("web", "v1", {
      description: "first",
      git_commit_info: commit,
      repo_info: repo,
      origin_url: "https://ci.example/1",
      external_urls: { board: "https://x.example/b" },
      user_data: { big: 1, nested: { is_mine: true } },
    });
  });

  it("returns all its fields", async () => {
    const time = service.clock.time;
    service.clock.time += 60;
    const { status, body } = await get(`/trails/${ORG}/web/v1`);
    const missing = { attestation_id: null, overridden_attestation_id: null, status: "MISSING" };
    const slot = { ...missing, attestation_type: "generic", is_compliant: null, unexpected: false };
    const evaluated = { evaluated_at: time, flow_template_id: ID };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: ID,
        name: "v1",
        description: "first",
        git_commit_info: commit,
        origin_url: "https://ci.example/1",
        user_data: { big: 1, nested: { is_mine: true } },
        repo_ids: [ID],
        last_modified_at: time,
        created_at: time,
        compliance_status: {
          status: "INCOMPLETE",
          is_compliant: false,
          attestations_statuses: [{ ...slot, attestation_name: "lint" }],
          artifacts_statuses: {
            web: {
              artifact_fingerprint: null,
              artifact_id: null,
              status: "MISSING",
              is_compliant: false,
              attestations_statuses: [{ ...slot, attestation_name: "unit" }],
              unexpected: false,
              ...evaluated,
            },
          },
          ...evaluated,
        },
        template: {
          version: 1,
          trail: {
            attestations: [{ name: "lint", type: "generic" }],
            artifacts: [{ name: "web", attestations: [{ name: "unit", type: "generic" }] }],
          },
          content: template,
        },
        compliance_state: "INCOMPLETE",
        is_compliant: false,
        events: [expect.objectContaining({ type: "trail_reported" })],
        created_by: "member",
        flow: { name: "web", tags: {} },
        external_urls: { board: { href: "https://x.example/b" } },
        html_url: `${service.address}/${ORG}/flows/web/trails/v1`,
      },
    });
  });

  it("keeps the digits of numbers in its user data", async () => {
    await send(service, {
      method: "PUT",
      path: `/trails/${ORG}/web`,
      form: '{"name":"digits","user_data":{"id":9007199254740993,"version":1.10},"git_commit_info":{"sha1":"0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa","timestamp":1700000000.0}}',
    });
    const { text } = await get(`/trails/${ORG}/web/digits`);
    expect(text).toContain('"user_data":{"id":9007199254740993,"version":1.10}');
    expect(text).toContain('"timestamp":1700000000}');
  });
});

describe("listing trails", () => {
  beforeAll(async () => {
    await pipeline(service).flow("paged");
    for (const name of ["p1", "p2", "p3", "p4", "p5"]) {
      service.clock.time += 1;
      await pipeline(service).trail("paged", name);
    }
    await pipeline(service).artifact("paged", "p2", { fingerprint: `dead${"0".repeat(60)}` });
    await pipeline(service).artifact("paged", "p4", { fingerprint: `dead${"1".repeat(60)}` });
    await send(service, {
      method: "PATCH",
      path: `/tags/${ORG}/flow/paged`,
      json: { set_tags: { team: "a=b" } },
    });
  });

  it("returns those of a flow as a plain list, newest first, like single trails without events", async () => {
    const { body } = await get(`/trails/${ORG}/paged`);
    expect(namesOf(body)).toEqual(["p5", "p4", "p3", "p2", "p1"]);
    const { events, ...trail } = (await get(`/trails/${ORG}/paged/p4`)).body;
    expect(events).not.toEqual([]);
    expect(body).toContainEqual(trail);
    expect((await get(`/trails/${ORG}/paged?page=2`)).body).toEqual([]);
  });

  it.each([
    ["flow=paged&per_page=1", ["p5"], 5],
    ["flow=paged&page=2", [], 5],
    ["flow_tag=team=a=b&per_page=2", ["p5", "p4"], 5],
    ["flow_tag=team:a=b&per_page=2", ["p5", "p4"], 5],
    ["flow_tag=team&per_page=2", ["p5", "p4"], 5],
    ["flow_tag=team=other", [], 0],
    [`fingerprint=dead${"0".repeat(60)}`, ["p2"], 1],
    ["fingerprint=dead0", ["p2"], 1],
    ["flow=web&fingerprint=dead0", [], 0],
    ["flow=paged&flow_tag=team=a=b&fingerprint=dead1", ["p4"], 1],
  ])("returns those of the organization with %s", async (query, names, total) => {
    const { body } = await get(`/trails/${ORG}?${query}`);
    expect({ names: namesOf(body.data), total: body.pagination.total }).toEqual({ names, total });
  });

  it.each(["", "&flow_tag=wide=yes"])(
    "shows each once over pages of any size, in one order%s",
    async (filter) => {
      for (const flow of ["paged", "web"]) {
        await send(service, {
          method: "PATCH",
          path: `/tags/${ORG}/flow/${flow}`,
          json: { set_tags: { wide: "yes" } },
        });
      }
      const namesOn = async (page: number, perPage: number) =>
        namesOf((await get(`/trails/${ORG}?page=${page}&per_page=${perPage}${filter}`)).body.data);
      const all = await namesOn(1, 100);
      expect(all.length).toBeGreaterThan(5);
      for (const perPage of [1, 2, 3, 4, 5]) {
        const pages = Array.from({ length: all.length / perPage + 2 }, (_, i) => namesOn(i + 1, perPage));
        expect((await Promise.all(pages)).flat()).toEqual(all);
      }
    },
  );

  it.each([
    ["", "page=0", "query.page"],
    ["", "per_page=1001", "query.per_page"],
    ["", "fingerprint=xyz", "query.fingerprint"],
    ["/paged", "per_page=0", "query.per_page"],
    ["/paged", "page=-1", "query.page"],
  ])("refuses /trails/org%s?%s", async (path, query, field) => {
    const { status, body } = await get(`/trails/${ORG}${path}?${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  it.each([`/trails/${ORG}?flow=nowhere`, `/trails/${ORG}/nowhere`])(
    "reports that there is no flow for %s",
    async (path) => {
      expectRefusal(await get(path), 404, `Flow named 'nowhere' does not exist for organization '${ORG}'`);
    },
  );

  it("evaluates each trail with its own records", async () => {
    const { flow, attest } = pipeline(service);
    await flow("mixed", "trail: {attestations: [{name: unit, type: generic}]}");
    for (const [name, compliant] of [
      ["good", true],
      ["bad", false],
    ] as const) {
      service.clock.time += 1;
      await attest("mixed", name, { is_compliant: compliant });
    }
    service.clock.time += 1;
    await pipeline(service).trail("mixed", "empty");
    const { body } = await get(`/trails/${ORG}/mixed`);
    expect(body.map((t: { name: string; compliance_state: string }) => [t.name, t.compliance_state])).toEqual(
      [
        ["empty", "INCOMPLETE"],
        ["bad", "NON-COMPLIANT"],
        ["good", "COMPLIANT"],
      ],
    );
  });
});

it("a trail shares the id of its template with the trails that started with the same one", async () => {
  const { flow, trail } = pipeline(service);
  await flow("versions", "version: 1");
  await trail("versions", "first");
  await trail("versions", "same");
  await flow("versions", template);
  await trail("versions", "another");
  await flow("elsewhere", "version: 1");
  await trail("elsewhere", "first");
  const idOf = async (name: string) => {
    const { compliance_status, events } = (await get(`/trails/${ORG}/${name}`)).body;
    expect(events[0].trail_data_json.template_id).toBe(compliance_status.flow_template_id);
    return compliance_status.flow_template_id;
  };
  const first = await idOf("versions/first");
  expect(first).toEqual(ID);
  expect(await idOf("versions/same")).toBe(first);
  expect(await idOf("versions/another")).not.toBe(first);
  expect(await idOf("elsewhere/first")).not.toBe(first);
});
