import { describe, expect, it } from "vitest";
import { knownIssuer } from "../identity/known-issuer.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const { client, ask, baseUrl, org } = await conformance();
const { options, token } = knownIssuer();
const trusted = { issuer: options.url, repository: "acme/web", flows: ["web"] };

/** A trust policy with a unique name. */
async function policy(more: object = {}): Promise<string> {
  const name = unique("trusted");
  await client.createTrustPolicy({ body: { name, ...trusted, ...more } });
  return name;
}

describe("a trust policy", () => {
  it("is created, listed, changed and deleted", async () => {
    const policyName = await policy();
    const { body } = await client.getTrustPolicy({ policyName });
    expect(body).toMatchObject({ name: policyName, ...trusted, role: "attester", environments: [] });
    expect((await client.listTrustPolicies({})).body).toContainEqual(body);

    const changed = { issuer: options.url, repositoryId: "4711", role: "reader" as const };
    const after = await client.updateTrustPolicy({ policyName, body: changed });
    expect(after.body).toMatchObject({ ...changed, repository: null });

    expect((await client.deleteTrustPolicy({ policyName })).body).toBe("OK");
    await expectRefusal(
      client.getTrustPolicy({ policyName }),
      404,
      `Trust policy '${policyName}' does not exist`,
    );
  });

  it("refuses an issuer that the service does not support", async () => {
    const body = { name: unique("trusted"), issuer: "https://else.example" };
    await expectInvalid(ask("createTrustPolicy", { body }), { issuer: options.url });
  });

  it("is explained: whether it matches a token, and why not", async () => {
    const fitting = await policy();
    const other = await policy({ claims: { ref: "refs/heads/release" } });
    const { body } = await client.explainTrust({ body: { token: token(`${baseUrl}/${org}`) } });
    expect(body.claims).toMatchObject({ repository: "acme/web" });
    expect(body.policies).toContainEqual({ name: fitting, fits: true, problems: {} });
    expect(body.policies).toContainEqual({
      name: other,
      fits: false,
      problems: { ref: expect.stringContaining("refs/heads/main") },
    });
  });
});
