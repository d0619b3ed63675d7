import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";
import { signedIn, visitor } from "./visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

describe("signing in", () => {
  it("is required without a session, and leads to the requested page", async () => {
    const user = visitor(service);
    const { status, headers } = await user.get(`/${ORG}?a=b`);
    expect({ status, location: headers["location"] }).toEqual({
      status: 303,
      location: `/login?next=${encodeURIComponent(`/${ORG}?a=b`)}`,
    });
    const signed = await user.send(String(headers["location"]), {
      key: service.keys.reader,
      action: "/login",
    });
    expect({ status: signed.status, location: signed.headers["location"] }).toEqual({
      status: 303,
      location: `/${ORG}?a=b`,
    });
    expect((await user.get(`/${ORG}`)).status).toBe(200);
  });

  it("never redirects elsewhere, in any notation of the address", async () => {
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/\t/evil.example",
      "",
    ]) {
      const { headers } = await visitor(service).send("/login", { key: service.keys.reader, next });
      expect({ next, location: headers["location"] }).toEqual({ next, location: "/" });
    }
  });

  it.each(["expired", "revoked"] as const)("refuses a key that has %s", async (which) => {
    const user = visitor(service);
    const { status, text } = await user.send("/login", { key: service.keys[which] });
    expect(status).toBe(403);
    expect(text).toContain("The key is unknown, expired or revoked");
    expect([...user.cookies]).toEqual([]);
  });

  it("sets a cookie that scripts and other sites cannot read, and that is not a key", async () => {
    const { headers } = await visitor(service).send("/login", { key: service.keys.member });
    const cookie = String(headers["set-cookie"]);
    expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
    expect(cookie).not.toContain(service.keys.member);
  });

  it("is refused from another site", async () => {
    const key = service.keys.member;
    const foreign = [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }];
    for (const headers of foreign) {
      expect((await visitor(service).send("/login", { key }, headers)).status).toBe(403);
    }
  });

  it("expires after inactivity", async () => {
    const user = await signedIn(service, service.keys.reader);
    const start = service.clock.time;
    service.clock.time += 7 * 3600;
    expect((await user.get(`/${ORG}`)).status).toBe(200);
    service.clock.time += 7 * 3600;
    expect((await user.get(`/${ORG}`)).status).toBe(200);
    service.clock.time += 8 * 3600;
    expect((await user.get(`/${ORG}`)).status).toBe(303);
    service.clock.time = start;
  });
});

it("another organization's records look like missing ones", async () => {
  const user = await signedIn(service, service.keys.admin);
  const [other, none] = [await user.get(`/${OTHER_ORG}`), await user.get("/nobody")];
  expect({ status: other.status, text: other.text }).toEqual({ status: 404, text: none.text });
});

it("the cookie does not work for the API", async () => {
  const user = await signedIn(service, service.keys.admin);
  expect((await user.get(`/api/v2/flows/${ORG}`)).status).toBe(401);
});
