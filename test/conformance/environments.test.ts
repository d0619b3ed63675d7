import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import {
  EXTRA,
  invalidBodies,
  invalidQueries,
  namePattern,
  ORDINARY_NAME,
  pagingEdges,
  REQUIRED,
} from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { environment, report } = pipeline(target);

const unknown = (name: string) => `Environment named '${name}' does not exist for organization '${org}'`;
const creating = (name = unique("env")) => ({
  body: { name, type: "K8S" as const, description: "" },
});
const read = async (envName: string) => (await client.getEnvironment({ envName })).body;
/** More names than a real request has, each of which would be looked up. */
const TOO_MANY = Array.from({ length: 40_000 }, (_, i) => `name-${i}`);
const onEnvironment = async (body: object) => ({ params: { env_name: await environment() }, body });

async function policy() {
  const name = unique("policy");
  const text =
    "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts: {provenance: {required: true}}\n";
  await client.putPolicy({ body: { name }, files: { policyFile: textFile("policy.yml", text) } });
  return name;
}

describe("creating an environment", () => {
  it("answers OK, and shows one without reports or policies", async () => {
    const name = unique("env");
    const reply = await client.createEnvironment({ body: { name, type: "K8S", description: "d" } });
    expect([reply.status, reply.body]).toEqual([201, "OK"]);
    expect(await read(name)).toMatchObject({
      org,
      name,
      type: "K8S",
      description: "d",
      lastModifiedAt: expect.any(Number),
      lastReportedAt: null,
      state: null,
      includeScaling: false,
      tags: {},
      policies: [],
    });
  });

  it("again updates it, where an empty description changes nothing", async () => {
    const name = unique("env");
    const put = async (description: string) =>
      (await client.createEnvironment({ body: { name, type: "server", description } })).status;
    await put("first");
    expect([200, 201]).toContain(await put(""));
    expect((await read(name)).description).toBe("first");
    await put("second");
    expect((await read(name)).description).toBe("second");
  });

  it("cannot change the type of one", async () => {
    const name = await environment("K8S");
    const { status } = await ask("createEnvironment", { body: { name, type: "server", description: "" } });
    expect(status).toBe(400);
    expect((await read(name)).type).toBe("K8S");
  });

  it.each(["K8S", "ECS", "S3", "lambda", "server", "docker", "azure-apps", "cloud-run", "logical"])(
    "accepts the type %s",
    async (type) => {
      expect((await ask("createEnvironment", { body: { ...creating().body, type } })).status).toBe(201);
    },
  );

  it("of others requires that they exist", async () => {
    const [none, name] = [unique("none"), unique("env")];
    const body = { name, type: "logical" as const, description: "", includedEnvironments: [none] };
    await expectRefusal(client.createEnvironment({ body }), 404, unknown(none));
    const physical = await environment();
    await client.createEnvironment({ body: { ...body, includedEnvironments: [physical] } });
    expect((await read(name)).includedEnvironments).toEqual([physical]);
  });

  namePattern(
    target,
    "createEnvironment",
    "name",
    { within: ".-_", never: "/:%,", plainStart: true },
    (build) => creating(build(unique("env"))),
  );
  invalidBodies(target, "createEnvironment", creating, [
    [{ name: undefined }, "name", REQUIRED],
    [{ type: undefined }, "type", REQUIRED],
    [{ type: "k8s" }, "type", "Input should be 'K8S', 'ECS', 'S3'"],
    [{ description: undefined }, "description", REQUIRED],
    [{ include_scaling: "x" }, "include_scaling", "Input should be a valid boolean"],
    [{ included_environments: "x" }, "included_environments", "Input should be a valid list"],
    [{ included_environments: TOO_MANY }, "included_environments", "List should have at most"],
    [{ policies: TOO_MANY }, "policies", "List should have at most"],
    [{ tags: {} }, "tags", EXTRA],
  ]);
});

describe("listing environments", () => {
  it("returns a bare list, or an envelope with a page", async () => {
    const name = await environment();
    const bare = (await client.listEnvironments({ name })).body;
    expect(bare).toMatchObject([{ name, org }]);
    const { body } = await client.listEnvironments({ name, page: 1, perPage: 1 });
    expect(body).toMatchObject({
      page: 1,
      perPage: 1,
      totalPages: 1,
      totalCount: 1,
      environments: [{ name }],
      _links: { self: { href: expect.any(String) } },
    });
  });

  it("finds a part of the name in any case, a type and a tag", async () => {
    const name = await environment("server");
    const tag = unique("tag");
    await client.updateTags({ resourceType: "env", resourceId: name, body: { setTags: { tier: tag } } });
    const names = async (query: object) => {
      const { body } = await client.listEnvironments(query);
      return (Array.isArray(body) ? body : body.environments).map((each) => each.name);
    };
    const part = name.toUpperCase().slice(1);
    expect(await names({ name: part })).toEqual([name]);
    expect(await names({ name: part, type: ["K8S"] })).toEqual([]);
    expect(await names({ name: part, type: ["K8S", "server"] })).toEqual([name]);
    expect(await names({ tag: [`tier:${tag}`] })).toEqual([name]);
    expect(await names({ tag: ["tier"], name })).toEqual([name]);
  });

  it("is sorted by name or by last change, in either direction, a page at a time", async () => {
    const prefix = unique("sorted");
    const [a, b, c] = [`${prefix}-a`, `${prefix}-b`, `${prefix}-c`];
    for (const name of [b, a, c]) await client.createEnvironment(creating(name));
    await report(c, [someFingerprint()]);
    await report(a, [someFingerprint()]);
    await client.updateEnvironment({ envName: b, body: { description: "changed last" } });
    const names = async (query: object) => {
      const { body } = await client.listEnvironments({ name: prefix, ...query });
      return (Array.isArray(body) ? body : body.environments).map((each) => each.name);
    };
    expect(await names({})).toEqual([a, b, c]);
    expect(await names({ sortDirection: "desc" })).toEqual([c, b, a]);
    expect(await names({ sort: "last_modified_at", sortDirection: "desc" })).toEqual([b, c, a]);
    expect(await names({ sort: "last_changed_at" })).toEqual([b, c, a]);
    expect(await names({ sort: "last_changed_at", sortDirection: "desc", page: 1, perPage: 1 })).toEqual([a]);
    expect(await names({ page: 2, perPage: 2 })).toEqual([c]);
    expect(await names({ page: 3, perPage: 2 })).toEqual([]);
  });

  it("is filtered by space: an unknown one has no environments, and an empty one is ignored", async () => {
    const name = await environment();
    const listIn = async (spaceId: string[]) =>
      (await client.listEnvironments({ name, page: 1, spaceId })).body;
    expect(await listIn([unique("space")])).toMatchObject({ totalCount: 0, environments: [] });
    expect(await listIn([""])).toMatchObject({ totalCount: 1, environments: [{ name }] });
  });

  pagingEdges(target, "listEnvironments", () => ({}), { max: 50 });
  invalidQueries(target, "listEnvironments", () => ({}), [
    [{ sort: "x" }, "sort", "Input should be 'name', 'last_modified_at' or 'last_changed_at'"],
    [{ sort_direction: "" }, "sort_direction", "Input should be 'asc' or 'desc' [input: ]"],
    [{ type: ["K8S", "x"] }, "type[1]", "Input should be "],
    [{ tag: Array(1500).fill("a") }, "tag", "List should have at most"],
    [{ tag: [""] }, "tag[0]", "String should have at least 1 character"],
  ]);
});

describe("changing an environment", () => {
  it("changes only the given fields", async () => {
    const [name, attached] = [await environment(), await policy()];
    const patch = (body: object) => client.updateEnvironment({ envName: name, body });
    const reply = await patch({ description: "d" });
    expect([reply.status, reply.body]).toEqual([200, "OK"]);
    await patch({ policies: [attached] });
    expect(await read(name)).toMatchObject({ description: "d", policies: [attached] });
    await patch({ description: "" });
    expect(await read(name)).toMatchObject({ description: "", policies: [attached] });
    await patch({});
    await patch({ policies: [] });
    expect((await read(name)).policies).toEqual([]);
  });

  it("is refused for an environment, an included one or a policy that does not exist", async () => {
    const [none, name] = [unique("none"), await environment("logical")];
    const patch = (envName: string, body: object) => client.updateEnvironment({ envName, body });
    await expectRefusal(patch(none, {}), 404, unknown(none));
    await expectRefusal(patch(name, { includedEnvironments: [none] }), 404, unknown(none));
    const message = `Policy '${none}' does not exist in organization '${org}'`;
    await expectRefusal(patch(name, { policies: [none] }), 404, message);
  });

  it("replaces the included environments, also by none, and keeps them when they are omitted", async () => {
    const [name, one, other] = [await environment("logical"), await environment(), await environment()];
    const included = async (body: object) => {
      await client.updateEnvironment({ envName: name, body });
      return (await read(name)).includedEnvironments;
    };
    expect(await included({ includedEnvironments: [one, other] })).toEqual([one, other].toSorted());
    expect(await included({ description: "d" })).toEqual([one, other].toSorted());
    expect(await included({ includedEnvironments: null })).toEqual([one, other].toSorted());
    expect(await included({ includedEnvironments: [other] })).toEqual([other]);
    expect(await included({ includedEnvironments: [] })).toEqual([]);
  });

  it("changes nothing when any of it is refused", async () => {
    const [name, none] = [await environment(), unique("none")];
    const body = { description: "not kept", policies: [none] };
    expect((await ask("updateEnvironment", { params: { env_name: name }, body })).status).toBe(404);
    expect(await read(name)).toMatchObject({ description: "", policies: [] });
  });

  invalidBodies(target, "updateEnvironment", () => onEnvironment({}), [
    [{ name: "x" }, "name", EXTRA],
    [{ type: "K8S" }, "type", EXTRA],
    [{ description: 7 }, "description", "Input should be a valid string"],
    [{ policies: "x" }, "policies", "Input should be a valid list"],
    [{ policies: TOO_MANY }, "policies", "List should have at most"],
    [{ included_environments: TOO_MANY }, "included_environments", "List should have at most"],
  ]);
});

describe("renaming an environment", () => {
  it("gives it the new name, and leaves nothing under the old one", async () => {
    const [envName, newName] = [await environment(), unique("renamed")];
    await report(envName, [someFingerprint()]);
    const reply = await client.renameEnvironment({ envName, body: { newName } });
    expect([reply.status, reply.body]).toEqual([200, "OK"]);
    expect((await read(newName)).name).toBe(newName);
    expect((await client.listSnapshots({ envName: newName })).body).toHaveLength(1);
    await expectRefusal(client.getEnvironment({ envName }), 404, unknown(envName));
  });

  it("is refused for a name that is in use", async () => {
    const [envName, newName] = [await environment(), await environment()];
    const call = client.renameEnvironment({ envName, body: { newName } });
    await expectRefusal(call, 400, `Environment named '${newName}' already exists for organization '${org}'`);
    expect((await read(envName)).name).toBe(envName);
  });

  it("is refused for one that does not exist", async () => {
    const envName = unique("none");
    const call = client.renameEnvironment({ envName, body: { newName: unique("x") } });
    await expectRefusal(call, 404, unknown(envName));
  });

  namePattern(target, "renameEnvironment", "new_name", { ...ORDINARY_NAME, within: ".-_" }, (build) =>
    onEnvironment({ new_name: build(unique("renamed")) }),
  );
  invalidBodies(target, "renameEnvironment", () => onEnvironment({ new_name: unique("x") }), [
    [{ new_name: undefined }, "new_name", REQUIRED],
    ...["a b", "a~b"].map(
      (name) =>
        [
          { new_name: name },
          "new_name",
          String.raw`String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\.\-_]*$'`,
        ] as const,
    ),
  ]);
});

describe("archiving an environment", () => {
  it("removes it from logical ones too, and keeps it from being added to them", async () => {
    const [logical, envName] = [await environment("logical"), await environment()];
    const join = () => client.joinEnvironment({ envName: logical, body: { physicalEnvName: envName } });
    await join();
    await client.archiveEnvironment({ envName });
    expect((await read(logical)).includedEnvironments).toEqual([]);
    const message = `Environment named '${envName}' has been archived for organization '${org}'`;
    await expectRefusal(join(), 404, message);
  });

  it("removes it from the lists and refuses further requests", async () => {
    const envName = await environment();
    expect((await client.archiveEnvironment({ envName })).body).toBe("OK");
    expect((await client.listEnvironments({ name: envName })).body).toEqual([]);
    const message = `Environment named '${envName}' has been archived for organization '${org}'`;
    await expectRefusal(client.getEnvironment({ envName }), 404, message);
    await expectRefusal(report(envName, []), 404, message);
  });

  it("frees its name for an environment of another type, with separate records", async () => {
    const envName = await environment();
    await report(envName, [someFingerprint()]);
    await client.archiveEnvironment({ envName });
    await client.createEnvironment({ body: { name: envName, type: "server", description: "" } });
    expect(await read(envName)).toMatchObject({ name: envName, type: "server", lastReportedAt: null });
    const { body: log } = await client.listAuditLog({ perPage: 2 });
    expect(log.data).toMatchObject([
      { act: "environment.created", resource: { name: envName } },
      { act: "environment.renamed", resource: { name: envName } },
    ]);
    const { to } = Object(log.data[1]?.changes)["name"];
    await client.createEnvironment({ body: { name: to, type: "K8S", description: "" } });
    const { body: snapshot } = await client.getSnapshot({ envName: to, snapshotExpression: "1" });
    expect(snapshot, "the archived one keeps its records, and can be restored").toMatchObject({ index: 1 });
  });

  it("is refused for one that does not exist", async () => {
    const envName = unique("none");
    await expectRefusal(client.archiveEnvironment({ envName }), 404, unknown(envName));
  });
});

describe("joining a physical environment to a logical one", () => {
  it("adds it to those included", async () => {
    const [logical, physical] = [await environment("logical"), await environment()];
    const join = () => client.joinEnvironment({ envName: logical, body: { physicalEnvName: physical } });
    expect((await join()).body).toBe("OK");
    await join();
    expect((await read(logical)).includedEnvironments).toEqual([physical]);
  });

  it("is refused for others, and for what does not exist", async () => {
    const [logical, physical, none] = [await environment("logical"), await environment(), unique("none")];
    const join = (envName: string, physicalEnvName: string) =>
      client.joinEnvironment({ envName, body: { physicalEnvName } });
    const message = "Can only add physical environments to logical environments";
    await expectRefusal(join(physical, await environment()), 400, message);
    await expectRefusal(join(logical, await environment("logical")), 400, message);
    await expectRefusal(join(logical, none), 404, unknown(none));
    await expectRefusal(join(none, physical), 404, unknown(none));
  });

  invalidBodies(target, "joinEnvironment", () => onEnvironment({ physical_env_name: "x" }), [
    [{ physical_env_name: undefined }, "physical_env_name", REQUIRED],
    [{ other: 1 }, "other", EXTRA],
  ]);
});

it("the error names an environment that does not exist", async () => {
  const envName = unique("none");
  await expectRefusal(client.getEnvironment({ envName }), 404, unknown(envName));
});

describe("the policies of an environment", () => {
  it("are evaluated at once when they are attached and detached, in a new snapshot", async () => {
    const [envName, name] = [await environment(), await policy()];
    await report(envName, [someFingerprint()]);
    const body = { policyNames: [name] };
    expect((await client.attachPolicies({ envName, body })).body).toBe("OK");
    expect(await read(envName)).toMatchObject({ policies: [name], state: false });
    expect((await client.listSnapshots({ envName })).body).toHaveLength(2);
    expect((await client.detachPolicies({ envName, body })).body).toBe("OK");
    expect(await read(envName)).toMatchObject({ policies: [], state: null });
    expect((await client.listSnapshots({ envName })).body).toHaveLength(3);
  });

  it("are all among the decisions of the latest snapshot, also when a further one leaves the state unchanged", async () => {
    const [envName, one, other] = [await environment(), await policy(), await policy()];
    const pods = [someFingerprint()];
    await report(envName, pods);
    const decided = async (policyName: string) => {
      await client.attachPolicies({ envName, body: { policyNames: [policyName] } });
      await report(envName, pods);
      const { body } = await client.getSnapshot({ envName, snapshotExpression: "-1" });
      const decisions = body.artifacts[0]?.policyDecisions ?? [];
      return [body.artifacts[0]?.compliant, decisions.map((each) => each.policyName)];
    };
    expect(await decided(one)).toEqual([false, [one]]);
    expect(await decided(other)).toEqual([false, [one, other].toSorted()]);
  });

  it("apply to the flows that they name: others neither open nor close the gate", async () => {
    const [envName, web, other] = [await environment(), unique("web"), unique("other")];
    const all = unique("policy");
    const named = unique("policy");
    const rules = "trail-compliance: {required: true}";
    const schema = "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:";
    for (const [name, text] of [
      [all, `${schema} {${rules}}\n`],
      [named, `${schema} {flows: [${web}], ${rules}}\n`],
    ] as const) {
      await client.putPolicy({ body: { name }, files: { policyFile: textFile("policy.yml", text) } });
    }
    const both = someFingerprint();
    const elsewhere = someFingerprint();
    const attest = async (flowName: string, fingerprint: string, isCompliant: boolean) => {
      const trailName = fingerprint;
      const urls = { buildUrl: "https://ci.example/1", commitUrl: "https://git.example/1" };
      const artifact = { fingerprint, filename: "web", gitCommit: "c".repeat(40), trailName, ...urls };
      await client.reportArtifact({ flowName, body: artifact });
      const body = { attestationName: "unit", isCompliant, artifactFingerprint: fingerprint };
      await client.attestGeneric({ flowName, trailName, body });
    };
    await attest(web, both, true);
    await attest(other, both, false);
    await attest(other, elsewhere, true);
    const verdict = async (fingerprint: string, policyName: string) =>
      (await client.assertArtifact({ fingerprint, policyName: [policyName] })).body.compliant;
    expect([await verdict(both, all), await verdict(elsewhere, all)]).toEqual([false, true]);
    expect([await verdict(both, named), await verdict(elsewhere, named)]).toEqual([true, false]);
    await client.attachPolicies({ envName, body: { policyNames: [named] } });
    await report(envName, [both]);
    expect((await read(envName)).state).toBe(true);
    await report(envName, [both, elsewhere]);
    expect((await read(envName)).state).toBe(false);
  });

  it("are refused for unknown resources", async () => {
    const [envName, name, none] = [await environment(), await policy(), unique("none")];
    for (const change of [client.attachPolicies, client.detachPolicies]) {
      const changed = (env: string, policyNames: string[]) => change({ envName: env, body: { policyNames } });
      await expectRefusal(changed(none, [name]), 404, unknown(none));
      const message = `Policy '${none}' does not exist in organization '${org}'`;
      await expectRefusal(changed(envName, [none]), 404, message);
    }
  });

  it("are attached and detached several at a time, with the same result twice as once", async () => {
    const [envName, one, other] = [await environment(), await policy(), await policy()];
    const attached = async (change: typeof client.attachPolicies, policyNames: string[]) => {
      const { status } = await change({ envName, body: { policyNames } });
      return [status, (await read(envName)).policies];
    };
    const both = [one, other].toSorted();
    expect(await attached(client.attachPolicies, [one, other])).toEqual([200, both]);
    expect(await attached(client.attachPolicies, [one, one])).toEqual([200, both]);
    expect(await attached(client.detachPolicies, [one])).toEqual([200, [other]]);
    expect(await attached(client.detachPolicies, [one])).toEqual([200, [other]]);
  });

  it("are those of physical environments", async () => {
    const body = { policyNames: [await policy()] };
    const call = client.attachPolicies({ envName: await environment("logical"), body });
    await expectRefusal(call, 400, "Policies can only be attached to physical environments");
  });

  const request = async () => ({
    params: { env_name: await environment() },
    body: { policy_names: ["x"] },
  });
  for (const operation of ["attachPolicies", "detachPolicies"] as const) {
    invalidBodies(target, operation, request, [
      [{ policy_names: undefined }, "policy_names", REQUIRED],
      [{ policy_names: "x" }, "policy_names", "Input should be a valid list"],
      [{ policy_names: [] }, "policy_names", "List should have at least 1 item"],
      [{ policy_names: TOO_MANY }, "policy_names", "List should have at most"],
      [{ other: 1 }, "other", EXTRA],
    ]);
  }
});
