import { describe, expect, it } from "vitest";
import { expectRefusal } from "./refusal.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const { client, ask, org } = await conformance();

describe("the organization", () => {
  it("is returned with its kind and times", async () => {
    const { body } = await client.getOrganization({});
    expect(body).toMatchObject({ name: org, experimentalFeaturesEnabled: expect.any(Boolean) });
    expect(["shared", "personal"]).toContain(body.kind);
    expect(body.lastModifiedAt).toBeGreaterThanOrEqual(body.createdAt);
  });

  it("can be made the default of the key's owner", async () => {
    expect((await client.setDefaultOrg({})).status).toBe(200);
    expect((await client.getDefaultOrg({})).body.defaultOrgName).toBe(org);
  });

  it("is named with the role that the key has in it", async () => {
    const { body } = await client.getCurrentUser({});
    expect(body).toMatchObject({ kind: "service_account", organizations: [{ name: org, role: "admin" }] });
    expect(body.organizations[0]?.account).toBe(body.name);
  });

  it("that does not exist is refused with its name", async () => {
    const none = unique("none");
    const message = `Organization '${none}' does not exist`;
    await expectRefusal(ask("getOrganization", { org: none }), 404, message);
  });

  it("cannot be the default if it does not exist or belongs to another, with the same error", async () => {
    const none = unique("none");
    const message = `Access denied to /api/v2/user/${none}`;
    await expectRefusal(ask("setDefaultOrg", { org: none }), 403, message);
  });
});
