import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/operations.ts";
import { ROLES, type Role } from "../../src/service/roles.ts";
import { expectRefusal, sampleRequest, send } from "./requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "./running-service.ts";

const MAY: Record<OperationShape["access"], readonly Role[]> = {
  read: ["admin", "member", "snapshotter", "reader"],
  write: ["admin", "member"],
  report: ["admin", "member", "snapshotter"],
  administer: ["admin"],
};
const everyOperation: OperationShape[] = Object.values(operations);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

describe.each(everyOperation)("$name", (operation) => {
  const sent = (more: object) => send(service, { ...sampleRequest(operation), ...more });

  it("is refused without credentials", async () => {
    const answer = await sent({ key: null });
    expectRefusal(answer, 401, "Unauthorized: no credentials were sent");
    expect(answer.headers["www-authenticate"]).toBe('Bearer, Basic realm="delivery-evidence"');
  });

  it("is refused with a key that nobody was given", async () => {
    const key = `de_${"x".repeat(43)}`;
    const answer = await sent({ key });
    expectRefusal(answer, 401, "Unauthorized: the API key is not known");
    expect(JSON.stringify(answer.body)).not.toContain(key);
  });

  it("is refused with a revoked key as with an unknown one", async () => {
    expectRefusal(await sent({ key: service.keys.revoked }), 401, "Unauthorized: the API key is not known");
  });

  it("is refused with an expired key", async () => {
    expectRefusal(await sent({ key: service.keys.expired }), 401, "Unauthorized: the API key has expired");
  });

  it("is refused with the key of another organization, even an admin's", async () => {
    const answer = await sent({ key: service.keys.stranger });
    expectRefusal(answer, 403, `Access denied to /api/v2${sampleRequest(operation).path}`);
  });

  it.each(ROLES)("admits the role %s exactly when the table of roles says so", async (role) => {
    const { status, body } = await sent({ key: service.keys[role] });
    if (MAY[operation.access].includes(role)) {
      expect([200, 201, 404]).toContain(status);
    } else {
      expectRefusal({ status, body }, 403, "You don't have permission to access this resource");
    }
  });

  it("says that an organization does not exist to a valid key only", async () => {
    const elsewhere = sampleRequest(operation, "nowhere");
    expectRefusal(await send(service, { ...elsewhere }), 404, "Organization 'nowhere' does not exist");
    expect((await send(service, { ...elsewhere, key: null })).status).toBe(401);
  });
});

describe("the ways to send a key", () => {
  const asked = async (authorization: string) => {
    const answer = await request(`${service.address}/api/v2/repos/${ORG}`, {
      dispatcher: service.dispatcher,
      headers: { authorization },
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

  it("takes a key as the user name of Basic authentication, whatever the password is", async () => {
    for (const password of ["", "anything", "a:b"]) {
      expect((await asked(basic(`${service.keys.reader}:${password}`))).status).toBe(200);
    }
  });

  it("refuses Basic credentials without the colon", async () => {
    expect((await asked(basic(service.keys.reader))).status).toBe(401);
  });

  it("takes the scheme in any letter case", async () => {
    expect((await asked(`bEARER ${service.keys.reader}`)).status).toBe(200);
  });

  it("refuses other schemes and says which it supports", async () => {
    expect(await asked(`Digest ${service.keys.reader}`)).toEqual({
      status: 401,
      body: {
        message: "Unauthorized: the authorization scheme is not supported (use Bearer or Basic)",
      },
    });
  });
});

describe("the order of the checks", () => {
  const wrong = { method: "POST", json: {}, headers: {} };

  it("asks for membership before the role", async () => {
    const path = `/artifacts/${OTHER_ORG}/web`;
    expect((await send(service, { ...wrong, path, key: service.keys.reader })).body.message).toBe(
      `Access denied to /api/v2${path}`,
    );
  });

  it("asks for the role before it looks at the body", async () => {
    const path = `/artifacts/${ORG}/web`;
    expect((await send(service, { ...wrong, path, key: service.keys.reader })).status).toBe(403);
    expect((await send(service, { ...wrong, path })).status).toBe(400);
  });

  it("looks at the body before it looks for what the path names", async () => {
    const message = { method: "PUT", path: `/trails/${ORG}/no-such-flow` };
    expect((await send(service, { ...message, form: {} })).status).toBe(400);
    expect((await send(service, { ...message, form: { name: "t" } })).status).toBe(404);
  });
});
