import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";
import { signedIn, visitor } from "./visitor.ts";

const DAY = 24 * 60 * 60;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { publicOrgs: [OTHER_ORG] });
  await ask("PUT", `/flows/${ORG}`, { name: "web", description: "", template: [] });
});
afterAll(() => service.dispose());

async function ask(method: "PUT" | "POST" | "DELETE", path: string, body?: object) {
  const answer = await request(`${service.address}/api/v2${path}`, {
    method,
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.admin}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return Object(await answer.body.json());
}

describe("a link", () => {
  const badge = (days = 1) =>
    ask("POST", `/share-links/${ORG}`, {
      kind: "badge",
      place: "web",
      expires_at: service.clock.time + days * DAY,
    });
  const environment = async () => {
    await ask("PUT", `/environments/${ORG}`, { name: "prod", type: "K8S", description: "" });
    return ask("POST", `/share-links/${ORG}`, {
      kind: "environment",
      place: "prod",
      expires_at: service.clock.time + DAY,
    });
  };

  it("leads to its shared page, and to nothing else", async () => {
    const user = visitor(service);
    const { url } = await environment();
    const { status, headers } = await user.get(url);
    expect({ status, location: headers["location"] }).toEqual({
      status: 303,
      location: `/${ORG}/environments/prod`,
    });
    const { text } = await user.get(`/${ORG}/environments/prod`);
    expect(text).toContain("through a share link");
    expect(text, "steps and requests that need an account").not.toMatch(/FULL_COMMIT_SHA|EVIDENCE_API_KEY/);
    for (const path of [`/${ORG}`, `/${ORG}/flows`, `/${OTHER_ORG}/settings`, "/settings"]) {
      const { status, text } = await user.get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain("<nav");
    }
  });

  it("opens nothing once it was revoked or has expired", async () => {
    const { id, url } = await environment();
    await ask("DELETE", `/share-links/${ORG}/${id}`);
    expect((await visitor(service).get(url)).status).toBe(404);
    const ended = await environment();
    service.clock.time += DAY;
    expect((await visitor(service).get(ended.url)).status).toBe(404);
  });

  it("to a badge opens the badge only, wherever its token is put", async () => {
    const { url } = await badge();
    const token = new URL(url).searchParams.get("share");
    expect((await visitor(service).get(`/${ORG}/flows?share=${token}`)).status).toBe(303);
  });
});

describe("a public organization", () => {
  it("is read without signing in, and changed by no anonymous visitor", async () => {
    const { status, text } = await visitor(service).get(`/${OTHER_ORG}/flows`);
    expect(status).toBe(200);
    expect(text).toContain('<a href="/login">Sign in</a>');
    expect(text).not.toContain('<form class="act');
    expect(text).not.toContain("trust-policies");
    expect((await visitor(service).get(`/${OTHER_ORG}/trust-policies`)).status).toBe(303);
  });

  it("serves its log without a key, and nothing else of the interface", async () => {
    const statusOf = async (path: string) =>
      (await request(`${service.address}/api/v2${path}`, { dispatcher: service.dispatcher })).statusCode;
    const noProof = (org: string) => `/log/${org}/proof?attestation_id=none`;
    expect(await statusOf(noProof(OTHER_ORG))).toBe(404);
    expect(await statusOf(noProof(ORG))).toBe(401);
    expect(await statusOf(`/flows/${OTHER_ORG}`)).toBe(401);
  });

  it("is read by members of other organizations, too; a private one is not", async () => {
    const user = await signedIn(service, service.keys.reader);
    expect((await user.get(`/${OTHER_ORG}/flows`)).status).toBe(200);
    const missing = await user.get(`/${OTHER_ORG}/trust-policies`);
    expect(missing.status).toBe(404);
    // From there they go on in their own organization.
    expect(missing.text).toMatch(new RegExp(`<nav id="menu"[^]*href="/${ORG}/flows"`));
    expect(missing.text).toContain('type="search"');
    expect((await visitor(service).get(`/${ORG}/flows`)).status).toBe(303);
  });
});
