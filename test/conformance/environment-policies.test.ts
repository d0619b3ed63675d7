import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, org } = target;
const { environment, report } = pipeline(target);

const unknown = (name: string) => `Environment named '${name}' does not exist for organization '${org}'`;
const read = async (envName: string) => (await client.getEnvironment({ envName })).body;
/** More names than anybody has, each of which would be looked up. */
const TOO_MANY = Array.from({ length: 40_000 }, (_, i) => `name-${i}`);

async function policy() {
  const name = unique("policy");
  const text =
    "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts: {provenance: {required: true}}\n";
  await client.putPolicy({ body: { name }, files: { policyFile: textFile("policy.yml", text) } });
  return name;
}

describe("the policies of an environment", () => {
  it("are judged at once when they are attached and detached, in a new snapshot", async () => {
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

  it("count the flows that they name: others neither open nor shut the gate", async () => {
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

  it("are refused for what does not exist", async () => {
    const [envName, name, none] = [await environment(), await policy(), unique("none")];
    for (const change of [client.attachPolicies, client.detachPolicies]) {
      const changed = (env: string, policyNames: string[]) => change({ envName: env, body: { policyNames } });
      await expectRefusal(changed(none, [name]), 404, unknown(none));
      const message = `Policy '${none}' does not exist in organization '${org}'`;
      await expectRefusal(changed(envName, [none]), 404, message);
    }
  });

  it("are attached and detached several at a time, and twice as well as once", async () => {
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
