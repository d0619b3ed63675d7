import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectRefusal, INVALID } from "./refusal.ts";
import { EXTRA, invalidBodies, PATTERN } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, environment } = pipeline(target);
const tagging = async () => ({
  params: { resource_type: "flow", resource_id: await flow() },
  body: { set_tags: { kind: "build" } },
});

describe("tagging", () => {
  it.each(["flow", "flows"] as const)(
    "as %s sets, changes and removes tags of a flow",
    async (resourceType) => {
      const flowName = await flow();
      const tag = (body: object) => client.updateTags({ resourceType, resourceId: flowName, body });
      const stored = async () => (await client.getFlow({ flowName })).body.tags;
      expect((await tag({ setTags: { kind: "build", "team.a~b-c_d": "x" } })).body).toBe("OK");
      expect(await stored()).toEqual({ kind: "build", "team.a~b-c_d": "x" });
      await tag({ setTags: { kind: "deploy" }, removeTags: ["team.a~b-c_d", "absent"] });
      expect(await stored()).toEqual({ kind: "deploy" });
    },
  );

  it.each(["env", "environment", "environments"] as const)(
    "as %s sets tags of an environment",
    async (resourceType) => {
      const envName = await environment();
      await client.updateTags({ resourceType, resourceId: envName, body: { setTags: { tier: "1" } } });
      expect((await client.getEnvironment({ envName })).body.tags).toEqual({ tier: "1" });
    },
  );

  it.each(["control", "controls"] as const)("as %s works for controls by their identifier", async (type) => {
    const identifier = unique("CTL");
    await client.createControl({ body: { identifier, name: "n" } });
    await client.updateTags({ resourceType: type, resourceId: identifier, body: { setTags: { a: "b" } } });
    expect((await client.getControl({ identifier })).body.tags).toEqual({ a: "b" });
  });

  it.each(["repo", "repos"] as const)("as %s works for repositories by the service's id", async (type) => {
    const name = unique("o/tagged");
    const repoInfo = { name, url: `https://github.com/${name}` };
    await client.beginTrail({ flowName: await flow(), body: { name: unique("trail"), repoInfo } });
    const listed = async () => (await client.listRepos({ name })).body.repos[0];
    const resourceId = (await listed())?.id ?? "";
    await client.updateTags({ resourceType: type, resourceId, body: { setTags: { a: "b" } } });
    expect((await listed())?.tags).toEqual({ a: "b" });
  });

  it("removes a tag that is both set and removed, and accepts a change without effect", async () => {
    const flowName = await flow();
    const tag = (body: object) => client.updateTags({ resourceType: "flow", resourceId: flowName, body });
    await tag({ setTags: { a: "1", b: "2" } });
    await tag({ setTags: { a: "3" }, removeTags: ["a"] });
    expect((await tag({})).body).toBe("OK");
    expect((await client.getFlow({ flowName })).body.tags).toEqual({ b: "2" });
  });

  it("is refused for missing resources, and for unknown types", async () => {
    const none = unique("none");
    const body = { setTags: { a: "b" } };
    await expectRefusal(
      client.updateTags({ resourceType: "flow", resourceId: none, body }),
      404,
      new RegExp(`^(Resource not found|Flow named '${none}' does not exist for organization '${org}')$`),
    );
    await expectRefusal(
      client.updateTags({ resourceType: "env", resourceId: none, body }),
      404,
      new RegExp(
        `^(Resource not found|Environment named '${none}' does not exist for organization '${org}')$`,
      ),
    );
    await expectRefusal(
      client.updateTags({ resourceType: "control", resourceId: none, body }),
      404,
      `"Control '${none}' does not exist in organization '${org}'`,
    );
    const params = { resource_type: "trail", resource_id: none };
    await expectRefusal(ask("updateTags", { params, body: { set_tags: {} } }), 400, INVALID);
  });

  invalidBodies(target, "updateTags", tagging, [
    [{ set_tags: { "": "x" } }, "set_tags.", PATTERN],
    [{ set_tags: { "-a": "x" } }, "set_tags.-a", PATTERN],
    [{ set_tags: { "a b": "x" } }, "set_tags.a b", PATTERN],
    [{ set_tags: { "a/b": "x" } }, "set_tags.a/b", PATTERN],
    [{ set_tags: { a: 1 } }, "set_tags.a", "Input should be a valid string"],
    [{ remove_tags: "a" }, "remove_tags", "Input should be a valid list"],
    [{ tags: {} }, "tags", EXTRA],
  ]);
});
