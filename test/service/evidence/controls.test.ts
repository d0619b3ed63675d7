import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDecision, listDecisions } from "../../../src/service/evidence/controls/decision-list.ts";
import { listControls } from "../../../src/service/evidence/controls/records.ts";
import { planOf } from "../query-plan.ts";
import { expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const request = (path: string, method = "GET", json?: object) =>
  send(service, {
    method,
    path: `/controls/${ORG}${path}`,
    key: method === "GET" ? service.keys.reader : service.keys.admin,
    ...(json === undefined ? {} : { json }),
  });
const create = (identifier: string, more: object = {}) =>
  pipeline(service).control({ identifier, name: `${identifier} name`, ...more });

describe("a control", () => {
  it("is created and read with the given fields", async () => {
    const links = { Wiki: "https://wiki.example/review" };
    const { status, body } = await create("SDLC-7", { description: "Code is reviewed", links });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        identifier: "SDLC-7",
        name: "SDLC-7 name",
        description: "Code is reviewed",
        links,
        decision_policy: null,
        version: 1,
        created_at: service.clock.time,
        created_by: "admin",
        tags: {},
        archived: false,
        policies_referencing: [],
      },
    });
    expect((await request("/SDLC-7")).body).toEqual(body);
  });

  it("is not created twice", async () => {
    await create("twice");
    expectRefusal(
      await create("twice"),
      409,
      `A control with identifier 'twice' already exists in organization '${ORG}'`,
    );
  });

  it("is created once, also when the response was lost and the request is sent again", async () => {
    const json = { identifier: "lost", name: "n" };
    const key = service.keys.admin;
    const sent = (retry: string) =>
      send(service, {
        method: "POST",
        path: `/controls/${ORG}`,
        json,
        key,
        headers: { "idempotency-key": retry },
      });
    const first = await sent("one");
    expect([first.status, await sent("one")]).toEqual([
      201,
      expect.objectContaining({ status: 201, body: first.body }),
    ]);
    expect((await sent("two")).status).toBe(409);
    expect((await request("/lost/versions")).body).toHaveLength(1);
    await send(service, { method: "PUT", path: `/controls/${ORG}/lost`, json: { name: "renamed" }, key });
    expect((await sent("one")).body, "in its current state").toMatchObject({ name: "renamed", version: 2 });
  });

  it("names the policies that require decisions about it", async () => {
    const { policy } = pipeline(service);
    await create("named");
    const yaml =
      "_schema: https://x/v1\nartifacts: { attestations: [{ type: decision, for_control: named }] }";
    await policy("naming", yaml);
    expect((await request("/named")).body.policies_referencing).toEqual(["naming"]);
    await policy("naming", "_schema: https://x/v1");
    expect((await request("/named")).body.policies_referencing).toEqual([]);
  });

  it("shows its tags", async () => {
    await create("tagged");
    const set_tags = { team: "web" };
    await send(service, { method: "PATCH", path: `/tags/${ORG}/control/tagged`, json: { set_tags } });
    expect((await request("/tagged")).body.tags).toEqual(set_tags);
  });
});

describe("a change of a control", () => {
  it("changes the given fields and creates a version", async () => {
    await create("changed", { description: "d", links: { a: "https://a.example", b: "https://b.example" } });
    service.clock.time += 5;
    const links = { c: "https://c.example" };
    const { status, body } = await request("/changed", "PUT", { name: "new", links });
    expect([status, body.name, body.description, body.links, body.version]).toEqual([
      200,
      "new",
      "d",
      links,
      2,
    ]);
    expect((await request("/changed", "PUT", { description: "" })).body).toMatchObject({
      name: "new",
      description: "",
      links,
      version: 3,
    });
    expect((await request("/changed", "PUT", {})).body.version).toBe(3);

    const versions = (await request("/changed/versions")).body;
    expect(versions.map(({ version, status }: Record<string, unknown>) => [version, status])).toEqual([
      [3, "edited"],
      [2, "edited"],
      [1, "created"],
    ]);
    expect((await request("/changed/versions/2")).body).toEqual(versions[1]);
    expect(versions[1]).toEqual({
      identifier: "changed",
      version: 2,
      name: "new",
      description: "d",
      links,
      decision_policy: null,
      created_at: service.clock.time,
      created_by: "admin",
      status: "edited",
    });
  });

  it("cannot change its identifier", async () => {
    await create("fixed");
    const { status, body } = await request("/fixed", "PUT", { identifier: "other" });
    expect([status, body.errors]).toEqual([
      400,
      { identifier: "Extra inputs are not permitted [input: other]" },
    ]);
  });

  it("archives and restores it, each once", async () => {
    await create("old");
    for (const [path, archived, version] of [
      ["archive", true, 2],
      ["archive", true, 2],
      ["unarchive", false, 3],
    ] as const) {
      const { status, body } = await request(`/old/${path}`, "POST");
      expect([status, body.archived, body.version]).toEqual([200, archived, version]);
    }
    expect((await request("/old/versions")).body.map(({ status }: { status: string }) => status)).toEqual([
      "unarchived",
      "archived",
      "created",
    ]);
  });
});

describe("listing controls", () => {
  const listed = async (query: string) =>
    (await request(query)).body.controls.map(({ identifier }: { identifier: string }) => identifier);

  beforeAll(async () => {
    for (const [identifier, name] of [
      ["L-b", "Builds are SIGNED"],
      ["L-a", "Code is reviewed"],
      ["L-c", "100% tested_"],
      ["L-d", "gone"],
    ]) {
      await create(identifier ?? "", { name });
    }
    await request("/L-d/archive", "POST");
    const set_tags = { scope: "build", own: "x:y" };
    await send(service, { method: "PATCH", path: `/tags/${ORG}/control/L-b`, json: { set_tags } });
  });

  it.each([
    ["by identifier", "?search=L-", ["L-a", "L-b", "L-c"]],
    ["backwards", "?search=L-&sort_direction=desc", ["L-c", "L-b", "L-a"]],
    ["by part of the name, in any letter case", "?search=signed", ["L-b"]],
    ["by characters with a special meaning elsewhere", "?search=0%25%20tested_", ["L-c"]],
    ["by characters without a meaning here", "?search=L_", []],
    ["by a tag", "?tag=scope", ["L-b"]],
    ["by a tag and its value", "?tag=scope:build&tag=own:x:y", ["L-b"]],
    ["by a tag with another value", "?tag=scope:run", []],
    ["when they are archived", "?archived=true", ["L-d"]],
    ["on a page", "?search=L-&per_page=2&page=2", ["L-c"]],
    ["beyond the last page", "?search=L-&page=9", []],
  ])("returns them %s", async (_, query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  it("reports the page position, with links to the others", async () => {
    const { status, body } = await request("?search=L-&tag=scope&per_page=1");
    const href = `${service.address}/api/v2/controls/${ORG}?sort_direction=asc&search=L-&tag=scope&archived=false&page=1&per_page=1`;
    expect([status, { ...body, controls: body.controls.length }]).toEqual([
      200,
      {
        _links: { self: { href }, first: { href }, last: { href } },
        page: 1,
        per_page: 1,
        total_pages: 1,
        total_count: 1,
        controls: 1,
      },
    ]);
    expect(Object.keys(body.controls[0])).not.toContain("archived");
  });

  it("limits page sizes", async () => {
    expect((await request("?per_page=100")).body.per_page).toBe(100);
    const { status, body } = await request("?page=0&per_page=101&sort_direction=up&archived=maybe");
    expect([status, Object.keys(body.errors)]).toEqual([
      400,
      ["query.page", "query.per_page", "query.sort_direction", "query.archived"],
    ]);
  });
});

describe("decisions about a control", () => {
  const decide = (
    flow: string,
    compliant: boolean,
    more: object = {},
    files: Parameters<typeof send>[1]["files"] = [],
  ) =>
    send(service, {
      method: "POST",
      path: `/attestations/${ORG}/${flow}/trail/t1/system`,
      form: {
        attestation_name: "decision",
        type_name: "decision",
        attestation_data: { is_compliant: compliant },
        control: "decided",
        ...more,
      },
      files,
    });
  const decisions = async (query = "") => (await request(`/decided/decisions${query}`)).body;

  beforeAll(async () => {
    const { artifact } = pipeline(service);
    await create("decided");
    await create("another");
    await decide("early", true);
    await artifact("web", "t1");
    service.clock.time += 100;
    await decide(
      "web",
      false,
      { artifact_fingerprint: FP, description: "not yet", user_data: { ticket: 7 } },
      [{ name: "minutes.txt", content: "x" }],
    );
    service.clock.time += 100;
    await decide("web", true, { origin_url: "https://ci.example/1" });
    await decide("web", true, { control: "another" });
  });

  it("are listed newest first, with their trail and artifact", async () => {
    const body = await decisions();
    expect([body.total_count, body.page, body.per_page, body.total_pages]).toEqual([3, 1, 15, 1]);
    const [latest, against, early] = body.decisions;
    expect(latest).toMatchObject({
      is_compliant: true,
      origin_url: "https://ci.example/1",
      evidence_files: [],
    });
    expect(against).toEqual({
      decision_id: expect.any(String),
      control: "decided",
      is_compliant: false,
      timestamp: service.clock.time - 100,
      attestation_name: "decision",
      evidence_files: [
        {
          filename: "minutes.txt",
          download_url: `${service.address}/api/v2/attestations/${ORG}/web/trail/t1/attestation/${against.decision_id}/evidence`,
        },
      ],
      control_version: 1,
      flow_name: "web",
      trail_name: "t1",
      artifact_fingerprint: FP,
      artifact_name: "web:1.2",
      description: "not yet",
      origin_url: null,
      user_data: { ticket: 7 },
    });
    expect(early).toMatchObject({
      control_version: 1,
      flow_name: "early",
      artifact_name: null,
      user_data: {},
    });
    expect((await request(`/decided/decisions/${against.decision_id}`)).body).toEqual(against);
    expectRefusal(
      await request(`/named/decisions/${against.decision_id}`),
      404,
      `Decision '${against.decision_id}' does not exist for control 'named'`,
    );
  });

  it.each([
    ["is_compliant=false", 1],
    ["is_compliant=true", 2],
    ["flow_id=early", 1],
    ["flow_id=early&flow_id=web", 3],
    ["flow_id=none", 0],
    ["per_page=1&page=4", 0],
    ["per_page=2&page=2", 1],
  ])("are filtered with %s", async (query, count) => {
    expect((await decisions(`?${query}`)).decisions).toHaveLength(count);
  });

  it("are filtered by time, both ends included, and sorted in ascending order", async () => {
    const middle = service.clock.time - 100;
    const within = await decisions(`?from_timestamp=${middle}&to_timestamp=${middle}`);
    expect(within.decisions).toMatchObject([{ description: "not yet" }]);
    const first = await decisions("?sort_direction=asc&per_page=1");
    expect(first.decisions).toMatchObject([{ flow_name: "early" }]);
  });
});

describe("the queries for controls", () => {
  it("use an index", async () => {
    const page = { limit: 15, offset: 0, sortDirection: "asc" as const };
    const plan = await planOf(service.dataFolder, async (db) => {
      await listControls(db, "o", { search: "x", tag: ["a:b"], archived: false }, page);
      await listDecisions(db, { orgId: "o", control: "c" }, { isCompliant: true, flowId: ["f"] }, page);
      await findDecision(db, { orgId: "o", control: "c", id: "i" });
    });
    expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
  });
});
