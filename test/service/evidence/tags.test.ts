import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).flow("web");
  await pipeline(service).environment("prod");
  await pipeline(service).trail("web", "t", {
    repo_info: { name: "acme/web", url: "https://github.com/acme/web", id: "1" },
  });
});
afterAll(() => service.dispose());

const get = (path: string) => send(service, { path });
const tag = (resource: string, json: unknown) =>
  send(service, { method: "PATCH", path: `/tags/${ORG}/${resource}`, json });
const tagsOfFlow = async () => (await get(`/flows/${ORG}/web`)).body.tags;

describe("tagging a flow", () => {
  it("sets, changes and removes tags, and leaves the others", async () => {
    expect(await tag("flow/web", { set_tags: { team: "a", tier: "1" } })).toMatchObject({
      status: 200,
      body: "OK",
    });
    expect(await tagsOfFlow()).toEqual({ team: "a", tier: "1" });
    await tag("flows/web", { set_tags: { team: "b" }, remove_tags: ["tier"] });
    expect(await tagsOfFlow()).toEqual({ team: "b" });
  });

  it("shows them wherever the flow is shown", async () => {
    expect((await get(`/flows/${ORG}`)).body[0].tags).toEqual({ team: "b" });
    expect((await get(`/trails/${ORG}/web/t`)).body.flow.tags).toEqual({ team: "b" });
  });

  it("accepts two hundred in all, and nothing of a request that exceeds them", async () => {
    const numbered = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, ""]));
    const refusal = { status: 400, body: { errors: { set_tags: "A resource may have at most 200 tags" } } };
    await tag("flow/web", { remove_tags: Object.keys(await tagsOfFlow()) });
    expect((await tag("flow/web", { set_tags: numbered(200) })).status).toBe(200);
    expect(await tag("flow/web", { set_tags: { k0: "changed", more: "" } })).toMatchObject(refusal);
    expect(await tag("flow/web", { set_tags: numbered(201) })).toMatchObject(refusal);
    expect(await tagsOfFlow()).toEqual(numbered(200));
    const removed = Array.from({ length: 6_000 }, (_, i) => `k${i}`);
    expect((await tag("flow/web", { remove_tags: removed })).status).toBe(200);
    expect(await tagsOfFlow()).toEqual({});
  });

  it("changes those of a flow with more from an earlier version, as long as their number does not grow", async () => {
    await pipeline(service).flow("early");
    const store = await openDataFolder(service.dataFolder);
    await store.write(async (db) => {
      const { id, org_id } = await db
        .selectFrom("flows")
        .select(["id", "org_id"])
        .where("name", "=", "early")
        .executeTakeFirstOrThrow();
      const storedTag = { org_id, resource_type: "flow", resource_id: id, value: "" } as const;
      const rows = Array.from({ length: 250 }, (_, i) => ({ ...storedTag, key: `k${i}` }));
      await db.insertInto("tags").values(rows).execute();
    });
    await store.close();
    expect((await tag("flow/early", { set_tags: { k0: "changed" } })).status).toBe(200);
    expect((await tag("flow/early", { set_tags: { more: "" } })).status).toBe(400);
    expect((await tag("flow/early", { set_tags: { more: "" }, remove_tags: ["k1"] })).status).toBe(200);
    const { tags } = (await get(`/flows/${ORG}/early`)).body;
    expect([Object.keys(tags).length, tags.k0, tags.k1, tags.more]).toEqual([250, "changed", undefined, ""]);
  });
});
