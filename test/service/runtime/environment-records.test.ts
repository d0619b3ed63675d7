import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefusal, FP, pipeline, type RequestToSend, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const MISSING = `Environment named 'nowhere' does not exist for organization '${ORG}'`;
const pod = { podName: "p", namespace: "n", digests: { web: FP }, creationTimestamp: 1 };

const at = (name: string, more: Partial<RequestToSend> = {}, below = "") =>
  send(service, { path: `/environments/${ORG}/${name}${below}`, ...more });
const patch = (name: string, json: object) => at(name, { method: "PATCH", json });
const put = (name: string, below: string, json?: object) => at(name, { method: "PUT", json }, below);
const policy = (name: string, yaml = "_schema: https://kosli.com/schemas/policy/environment/v1") =>
  send(service, {
    method: "PUT",
    path: `/policies/${ORG}`,
    formPart: "payload",
    form: { name },
    files: [{ part: "policy_file", name: "policy.yml", content: yaml }],
  });

describe("an environment", () => {
  it("is returned with all its fields", async () => {
    await pipeline(service).environment("prod", { description: "live", include_scaling: true });
    expect((await at("prod")).body).toEqual({
      org: ORG,
      name: "prod",
      type: "K8S",
      description: "live",
      last_modified_at: service.clock.time,
      last_reported_at: null,
      last_changed_at: null,
      state: null,
      include_scaling: false,
      tags: {},
      policies: [],
      included_environments: null,
    });
    await send(service, {
      method: "PATCH",
      path: `/tags/${ORG}/environment/prod`,
      json: { set_tags: { team: "web" } },
    });
    service.clock.time += 10;
    await pipeline(service).report("prod", [pod]);
    expect((await at("prod")).body).toMatchObject({
      last_reported_at: service.clock.time,
      last_changed_at: service.clock.time,
      last_modified_at: service.clock.time - 10,
      state: null,
      tags: { team: "web" },
    });
  });

  it("sums up its members if it is logical", async () => {
    const { environment, report } = pipeline(service);
    await environment("eu");
    await environment("us");
    await environment("world", { type: "logical", included_environments: ["us", "eu"] });
    expect((await at("world")).body).toMatchObject({
      type: "logical",
      included_environments: ["eu", "us"],
      state: null,
      last_reported_at: null,
    });
    await report("us", [pod]);
    expect((await at("world")).body.last_reported_at).toBe(service.clock.time);
  });

  it("has the state of its running artifacts under its policies", async () => {
    const { environment, report } = pipeline(service);
    await policy("any");
    const strict = "artifacts: { provenance: { required: true } }";
    await policy("built-here", `_schema: https://kosli.com/schemas/policy/environment/v1\n${strict}`);
    await environment("lax", { policies: ["any"] });
    await environment("strict", { policies: ["any", "built-here"] });
    expect((await at("lax")).body.state).toBeNull();
    await report("lax", [pod]);
    await report("strict", [pod]);
    const states = [(await at("lax")).body, (await at("strict")).body];
    expect(states.map(({ state, policies }) => [state, policies])).toEqual([
      [true, ["any"]],
      [false, ["any", "built-here"]],
    ]);
    await environment("both", { type: "logical", included_environments: ["lax", "strict"] });
    expect((await at("both")).body.state).toBe(false);
  });

  it("gets other policies from those who may change them, not from its reporters", async () => {
    const { environment } = pipeline(service, service.keys.snapshotter);
    await policy("any");
    const text = "User does not have permission to attach policy";
    expectRefusal(await environment("guarded", { policies: ["any"] }), 403, text);
    expect((await at("guarded")).status).toBe(404);
    await pipeline(service).environment("guarded", { policies: ["any"] });
    expectRefusal(await environment("guarded", { policies: [] }), 403, text);
    expect((await environment("guarded", { policies: ["any"] })).status).toBe(201);
    expect((await at("guarded")).body.policies).toEqual(["any"]);
  });
});

describe("changing fields of an environment", () => {
  it("changes the given fields, and clears an empty description", async () => {
    await pipeline(service).environment("patched", { description: "first" });
    service.clock.time += 5;
    expect(await patch("patched", { include_scaling: true })).toMatchObject({ status: 200, body: "OK" });
    expect((await at("patched")).body).toMatchObject({
      description: "first",
      include_scaling: false,
      last_modified_at: service.clock.time,
    });
    await patch("patched", { description: "" });
    expect((await at("patched")).body).toMatchObject({ description: "", include_scaling: false });
  });

  it("replaces members and policies", async () => {
    const { environment } = pipeline(service);
    await environment("m1");
    await environment("m2");
    await environment("group", { type: "logical", included_environments: ["m1"] });
    await patch("group", { included_environments: ["m2"] });
    expect((await at("group")).body.included_environments).toEqual(["m2"]);
    await policy("p1");
    await policy("p2");
    await patch("m1", { policies: ["p2", "p1"] });
    expect((await at("m1")).body.policies).toEqual(["p1", "p2"]);
    await patch("m1", { policies: ["p2"] });
    expect((await at("m1")).body.policies).toEqual(["p2"]);
    await patch("m1", { policies: [] });
    expect((await at("m1")).body.policies).toEqual([]);
  });

  it("is all or nothing", async () => {
    await pipeline(service).environment("whole", { description: "before" });
    expectRefusal(
      await patch("whole", { description: "after", policies: ["missing"] }),
      404,
      `Policy 'missing' does not exist in organization '${ORG}'`,
    );
    expect((await at("whole")).body.description).toBe("before");
  });

  it("is refused for one that does not exist, and for members of a physical one", async () => {
    expectRefusal(await patch("nowhere", {}), 404, MISSING);
    await pipeline(service).environment("solid");
    expectRefusal(
      await patch("solid", { included_environments: ["prod"] }),
      400,
      "Only logical environments can include other environments",
    );
    await pipeline(service).environment("loose", { type: "logical" });
    await policy("any");
    expectRefusal(
      await patch("loose", { policies: ["any"] }),
      400,
      "Policies can only be attached to physical environments",
    );
  });
});

describe("renaming an environment", () => {
  it("moves all its records to the new name", async () => {
    const { environment, report } = pipeline(service);
    await environment("old-name", { description: "d" });
    await report("old-name", [pod]);
    expect(await put("old-name", "/rename", { new_name: "new-name" })).toMatchObject({
      status: 200,
      body: "OK",
    });
    expect((await at("new-name")).body).toMatchObject({
      description: "d",
      last_changed_at: service.clock.time,
    });
    expect((await at("old-name")).status).toBe(404);
  });
});

describe("archiving an environment", () => {
  const archive = (name: string) => at(name, { method: "PUT", key: service.keys.admin }, "/archive");

  it("hides it until it is created again with all its records", async () => {
    const { environment, report } = pipeline(service);
    await environment("retired", { description: "kept" });
    await report("retired", [pod]);
    expect(await archive("retired")).toMatchObject({ status: 200, body: "OK" });
    const text = `Environment named 'retired' has been archived for organization '${ORG}'`;
    for (const answer of [
      await at("retired"),
      await archive("retired"),
      await patch("retired", {}),
      await report("retired", []),
      await send(service, { path: `/snapshots/${ORG}/retired/-1` }),
      await at("retired", {}, "/events"),
    ]) {
      expectRefusal(answer, 404, text);
    }
    const names = (await send(service, { path: `/environments/${ORG}` })).body.map(
      (each: { name: string }) => each.name,
    );
    expect(names).toContain("prod");
    expect(names).not.toContain("retired");
    expectRefusal(await pipeline(service, service.keys.snapshotter).environment("retired"), 404, text);
    expect((await environment("retired")).status).toBe(201);
    expect((await at("retired")).body).toMatchObject({
      description: "kept",
      last_reported_at: expect.any(Number),
    });
  });

  it("takes it out of logical environments", async () => {
    const { environment } = pipeline(service);
    await environment("part");
    await environment("whole-of-it", { type: "logical", included_environments: ["part"] });
    await archive("part");
    expect((await at("whole-of-it")).body.included_environments).toEqual([]);
  });
});

describe("joining a logical environment", () => {
  const join = (name: string, physical: string) => put(name, "/join", { physical_env_name: physical });

  it("adds a physical environment, once", async () => {
    const { environment } = pipeline(service);
    await environment("j1");
    await environment("j2");
    await environment("joined", { type: "logical", included_environments: ["j1"] });
    expect(await join("joined", "j2")).toMatchObject({ status: 200, body: "OK" });
    await join("joined", "j2");
    expect((await at("joined")).body.included_environments).toEqual(["j1", "j2"]);
    const text = "Can only add physical environments to logical environments";
    expectRefusal(await join("joined", "joined"), 400, text);
    expectRefusal(await join("j1", "j2"), 400, text);
    expectRefusal(await join("joined", "nowhere"), 404, MISSING);
    expectRefusal(await join("nowhere", "j1"), 404, MISSING);
  });
});

describe("the list of environments", () => {
  const list = (query = "") => send(service, { path: `/environments/${ORG}${query}` });
  const names = ({ body }: { body: unknown }) =>
    (Array.isArray(body) ? body : (body as { environments: { name: string }[] }).environments).map(
      (each: { name: string }) => each.name,
    );

  beforeAll(async () => {
    const { environment, report } = pipeline(service);
    service.clock.time += 100;
    for (const name of ["list-C", "list-a", "list-b"]) {
      service.clock.time += 1;
      await environment(name, { type: name === "list-a" ? "ECS" : "K8S" });
    }
    await report("list-C", [pod]);
    for (const [name, tags] of [
      ["list-a", { team: "listed", tier: "1" }],
      ["list-b", { team: "listed" }],
    ] as const) {
      await send(service, {
        method: "PATCH",
        path: `/tags/${ORG}/environment/${name}`,
        json: { set_tags: tags },
      });
    }
  });

  it("is complete without a page, and an envelope with one", async () => {
    expect(Array.isArray((await list()).body)).toBe(true);
    const { body } = await list("?name=LIST-&per_page=2&page=2&type=K8S&type=ECS");
    expect(body).toMatchObject({ page: 2, per_page: 2, total_pages: 2, total_count: 3 });
    expect(body.environments).toEqual([(await at(body.environments[0].name)).body]);
    expect(body._links.first.href).toBe(
      `${service.address}/api/v2/environments/${ORG}?sort=name&sort_direction=asc&name=LIST-&type=K8S&type=ECS&page=1&per_page=2`,
    );
    expect(names(await list("?name=list-&page=3"))).toEqual([]);
  });

  it.each([
    ["?name=list-", ["list-C", "list-a", "list-b"]],
    ["?name=list-&sort=name&sort_direction=desc", ["list-b", "list-a", "list-C"]],
    ["?name=list-&sort=last_modified_at&sort_direction=desc", ["list-b", "list-a", "list-C"]],
    ["?name=list-&sort=last_changed_at&sort_direction=desc", ["list-C", "list-b", "list-a"]],
    ["?name=list-&type=ECS", ["list-a"]],
    ["?tag=team%3Dlisted", ["list-a", "list-b"]],
    ["?tag=team%3Dlisted&tag=tier", ["list-a"]],
    ["?tag=team%3Dnobody", []],
    ["?name=list_", []],
    ["?name=%25", []],
  ])("%s has %j", async (query, expected) => {
    expect(names(await list(query))).toEqual(expected);
  });
});
