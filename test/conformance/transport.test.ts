import { describe, expect, it } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { type OperationName, operations } from "../../src/api/resources/operations.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { ANY } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const { ask, sendRaw, org, apiKey } = await conformance();

/** Values for all parameters of a path, so that it matches the operation. */
function pathOf({ path }: OperationShape) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => (name === "org" ? [] : [name]));
  return Object.fromEntries(names.map((name) => [name, name.endsWith("_number") ? 1 : "sample"]));
}

/** Operations that need authentication. */
const closed = Object.values<OperationShape>(operations).filter(({ access }) => access !== "public");
const all = closed.map((operation) => ({
  name: operation.name as OperationName,
  params: pathOf(operation),
  ofOrganization: operation.path.includes("{org}"),
}));

const forms = Object.values<OperationShape>(operations).flatMap((operation) => {
  const { name, method, body } = operation;
  if (body?.kind !== "multipart") return [];
  const filled = operation.path.replace("{org}", org).replace(/\{\w+\}/g, "sample");
  return [{ name, method, path: `/api/v2${filled}`, part: body.part }];
});

describe.each(all)("$name", ({ name, params }) => {
  it("is refused without credentials", async () => {
    const answer = await ask(name, { params, key: null });
    expect([answer.status, answer.body]).toEqual([
      401,
      { code: "auth.credentials_missing", message: "Unauthorized: no credentials were sent" },
    ]);
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer, Basic/);
  });

  it("is refused with an unknown key, which is not repeated", async () => {
    const key = unique("key");
    const answer = await ask(name, { params, key });
    expect([answer.status, answer.body]).toEqual([
      401,
      { code: "auth.key_unknown", message: "Unauthorized: the API key is not known" },
    ]);
  });
});

// Setting one's default reveals one's membership: its refusal is in `organizations.test.ts`.
const ofOrganizations = all.filter(({ name, ofOrganization }) => ofOrganization && name !== "setDefaultOrg");
describe.each(ofOrganizations)("$name", ({ name, params }) => {
  it("is refused for an organization that does not exist, before its body is read", async () => {
    const none = unique("none");
    const call = ask(name, { params, org: none, body: "{" });
    await expectRefusal(call, 404, `Organization '${none}' does not exist`);
  });
});

describe("the ways to send a key", () => {
  const path = `/api/v2/repos/${org}`;
  const status = async (authorization: string) => (await sendRaw("GET", path, { authorization })).status;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

  it("are Bearer, and Basic with the key as the user name and any password", async () => {
    expect(await status(`Bearer ${apiKey}`)).toBe(200);
    expect(await status(`bearer ${apiKey}`)).toBe(200);
    expect(await status(basic(`${apiKey}:`))).toBe(200);
    expect(await status(basic(`${apiKey}:any:thing`))).toBe(200);
  });

  it("are no others", async () => {
    expect(await status(basic(apiKey))).toBe(401);
    const message = "Unauthorized: the authorization scheme is not supported (use Bearer or Basic)";
    await expectRefusal(sendRaw("GET", path, { authorization: `Digest ${apiKey}` }), 401, message);
  });
});

describe("every response", () => {
  it("has the caller's request id, or its own", async () => {
    const id = unique("request");
    const idOf = async (headers: Record<string, string>) =>
      (await ask("listRepos", { headers })).headers["x-request-id"];
    expect(await idOf({ "x-request-id": id })).toBe(id);
    expect(await idOf({})).toMatch(/^[a-f0-9-]{36}$/);
    expect(await idOf({ "x-request-id": "x".repeat(129) })).toMatch(/^[a-f0-9-]{36}$/);
  });
});

describe("unknown query parameters", () => {
  const ignored = async (name: OperationName, query: object, params = {}) => {
    const { status, headers } = await ask(name, { params, query: { ...query } });
    return [status, headers["x-ignored-parameters"]];
  };

  it("are ignored and named in the response, each once", async () => {
    expect(await ignored("listRepos", { per_page: 2, page: 1 })).toEqual([200, undefined]);
    expect(await ignored("listRepos", { per_page: 2, Name: "a", vcs: ["x", "y"] })).toEqual([
      200,
      "Name, vcs",
    ]);
    expect(await ignored("getOrganization", { name: "x" })).toEqual([200, "name"]);
    const none = unique("none");
    expect(await ignored("getFlow", { version: "1" }, { flow_name: none })).toEqual([404, "version"]);
    expect(await ignored("getFlow", { version: "1", page: "x" }, { flow_name: none })).toEqual([
      404,
      "version, page",
    ]);
    expect(await ignored("listRepos", { page: "x", version: "1" })).toEqual([400, "version"]);
  });

  it("are named in ASCII, as many as fit into a header", async () => {
    const odd = ["über", "a, b", "x\r\nset-cookie: a=b", "__proto__", "constructor"];
    const query = Object.fromEntries(odd.map((name) => [name, "1"]));
    Object.defineProperty(query, "__proto__", { value: "1", enumerable: true });
    const [, header] = await ignored("listRepos", query);
    expect(String(header).split(", ").map(decodeURIComponent).toSorted()).toEqual(odd.toSorted());
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`parameter-${index}`, "1"]));
    const [status, first] = await ignored("listRepos", many);
    expect(status).toBe(200);
    expect(first).toMatch(/^parameter-0, parameter-1, [a-z0-9, -]{900,1000}, \.\.\.$/);
    expect(await ignored("listRepos", { ["ü".repeat(1_000)]: "1" })).toEqual([200, "..."]);
  });
});

describe("unknown addresses", () => {
  it("are named in a 404", async () => {
    const path = `/api/v2/nothing/${org}`;
    await expectRefusal(sendRaw("GET", path), 404, `Not found: GET ${path}`);
  });

  it.each(["/api/v2", "/api/fastapi"])("below %s are the same operations", async (base) => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const name = unique("env");
    const body = JSON.stringify({ name, type: "K8S", description: "" });
    expect((await sendRaw("PUT", `${base}/environments/${org}`, headers, body)).status).toBe(201);
    expect((await sendRaw("GET", `${base}/environments/${org}/${name}`, headers)).body.name).toBe(name);
  });

  it("with a slash at the end are redirected, with their method and body", async () => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    for (const base of ["/api/v2", "/api/fastapi"]) {
      const path = `${base}/environments/${org}`;
      for (const method of ["GET", "PUT"]) {
        const answer = await sendRaw(
          method,
          `${path}/?name=a%2Fb`,
          headers,
          method === "PUT" ? "{}" : undefined,
        );
        expect([answer.status, answer.headers["location"]]).toEqual([308, `../${org}?name=a%2Fb`]);
        const { pathname } = new URL(String(answer.headers["location"]), `http://h${path}/`);
        expect(pathname).toBe(path);
      }
    }
    expect((await sendRaw("GET", "/api/v2/nothing/", headers)).status).toBe(404);
    expect((await sendRaw("GET", "//other.example/", headers)).status).toBe(404);
  });

  it("with another method are a 405 that lists the allowed methods", async () => {
    const answer = await sendRaw("DELETE", `/api/v2/repos/${org}`);
    expect(answer.status).toBe(405);
    expect(answer.headers["allow"]).toContain("GET");
  });
});

describe("outside of the API", () => {
  it("the service reports without authentication whether it is ready", async () => {
    const { status, text } = await sendRaw("GET", "/ready", {});
    expect([status, text]).toEqual([200, "OK"]);
  });

  it("the address of the service links to the API for programs", async () => {
    const { status, text, headers } = await sendRaw("GET", "/", {});
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 200,
      type: "text/plain; charset=utf-8",
    });
    expect(text).toContain("The API is described at /api/v2/doc/");
  });

  it("the service publishes the API description without authentication", async () => {
    const { status, body } = await sendRaw("GET", "/api/v2/openapi.json", {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "2.0" } });
    for (const { path, method } of Object.values<OperationShape>(operations)) {
      expect(body.paths[path]).toHaveProperty(method.toLowerCase());
    }
  });
});

describe("names in the description that generated clients depend on", () => {
  it.each([
    ["post", "/controls/{org}", "ControlPostInput"],
    ["put", "/environments/{org}", "CreateEnvironmentPutInput"],
  ])("of the body of %s %s is %s", async (method, path, name) => {
    const { body } = await sendRaw("GET", "/api/v2/openapi.json", {});
    const { content } = body.paths[path][method].requestBody;
    expect(content["application/json"].schema).toEqual({ $ref: `#/components/schemas/${name}` });
    expect(body.components.schemas[name]).toMatchObject({ type: "object", properties: { name: {} } });
  });
});

describe("error messages", () => {
  it("call integers integers", async () => {
    const text = "Input should be a valid integer, unable to parse string as an integer [input: x]";
    await expectInvalid(ask("listRepos", { query: { page: "x" } }), { "query.page": text });
    await expectInvalid(ask("getAction", { params: { action_number: "x" } }), { action_number: text });
    const body = { description: "d", expires_at: "x" };
    await expectInvalid(ask("createApiKey", { params: { name: "x" }, body }), { expires_at: text }, ANY);
  });

  it.each(forms)("name the missing part when $name is sent JSON", async ({ method, path, part }) => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    await expectInvalid(sendRaw(method, path, headers, "{}"), { [part]: "Field required [input: None]" });
  });

  it("shorten long values", async () => {
    const { body } = await ask("listRepos", { query: { page: "x".repeat(101) } });
    expect(body.errors["query.page"]).toContain(`[input: ${"x".repeat(100)}…]`);
  });

  it("name the wrong escape of an address", async () => {
    const text = "Input should be UTF-8 text, percent-encoded";
    const authorization = `Bearer ${apiKey}`;
    const get = (path: string) => sendRaw("GET", `/api/v2${path}`, { authorization });
    await expectInvalid(get(`/repos/${org}?name=%ff`), { "query.name": text });
    await expectInvalid(get(`/flows/${org}/%ff`), { path: text });
  });

  it("name the type and the encoding of a body that is not supported", async () => {
    const path = `/api/v2/flows/${org}`;
    const authorization = `Bearer ${apiKey}`;
    const put = (header: object) => sendRaw("PUT", path, { authorization, ...header }, "{}");
    const type = "Content-Type 'text/plain' is not supported: send the body as application/json";
    await expectRefusal(put({ "content-type": "text/plain" }), 415, type);
    const encoding = "Content-Encoding 'gzip' is not supported";
    await expectRefusal(put({ "content-encoding": "gzip" }), 415, encoding);
  });

  it("name a body that is not JSON or not an object", async () => {
    await expectInvalid(ask("createFlow", { body: "{" }), { body: "" });
    await expectInvalid(ask("createFlow", { body: "[]" }), { body: "Input should be a valid dictionary" });
  });
});
