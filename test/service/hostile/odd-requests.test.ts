import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../../src/api/error-codes.ts";
import { send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { parseAnswer, sendBytes } from "./raw-request.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const FLOW = '{"name":"odd","description":"","template":["artifact"]}';

interface OddRequest {
  method?: string;
  target: string;
  /** One header per line; Latin-1, so that any byte is possible. */
  headers?: readonly string[];
  body?: string | Uint8Array;
}

async function ask({ method = "GET", target, headers = [], body = "" }: OddRequest) {
  const content = Buffer.from(body);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "host: service.example",
    "connection: close",
    `content-length: ${content.length}`,
    ...headers,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  const answer = parseAnswer(await sendBytes(service.address, [head, content]));
  return { status: answer?.status, body: JSON.parse(answer?.text ?? "") };
}

const key = () => `authorization: Bearer ${service.keys.admin}`;
const refused = (message: string, errors?: object) => ({
  code: expect.toBeOneOf([...ERROR_CODES]),
  message,
  ...(errors && { errors }),
});

const putFlow = (body: string | Uint8Array, ...headers: string[]) =>
  ask({ method: "PUT", target: `/api/v2/flows/${ORG}`, headers: [key(), ...headers], body });

async function flows(): Promise<string[]> {
  const { body } = await send(service, { path: `/flows/${ORG}` });
  return body.map(({ name }: { name: string }) => name);
}

describe("text with invalid escapes", () => {
  const WRONG = "Input should be UTF-8 text, percent-encoded";

  it.each([
    ["name=%ff", "query.name"],
    ["name=%zz", "query.name"],
    ["name=100%", "query.name"],
    ["name=%c3%28", "query.name"],
    ["name=%ed%a0%80", "query.name"],
    ["more+of+it=%ff", "query.more of it"],
    ["%ff=1", "query"],
    ["page=1&&=&provider=github&x=%e2%82", "query.x"],
  ])("is refused in the query %s", async (query, field) => {
    const { status, body } = await ask({ target: `/api/v2/repos/${ORG}?${query}`, headers: [key()] });
    expect({ status, body }).toEqual({
      status: 400,
      body: refused("Input payload validation failed", { [field]: WRONG }),
    });
  });

  it.each(["%ff", "%zz", "a%", "%c3%28"])("is refused in a path as %s", async (name) => {
    const path = { method: "PATCH", target: `/api/v2/environments/${ORG}/${name}`, headers: [key()] };
    const { status, body } = await ask({ ...path, body: "{}" });
    expect({ status, body }).toEqual({
      status: 400,
      body: refused("Input payload validation failed", { path: WRONG }),
    });
  });

  it("is invalid in every encoding", async () => {
    const target = `/api/v2/repos/${ORG}?name=${encodeURIComponent("größe 100% 💩 ✓")}+&unknown=%25`;
    const { status, body } = await ask({ target, headers: [key()] });
    expect({ status, repos: body.repos }).toEqual({ status: 200, repos: [] });
  });
});

it("very many parameters are read like few", async () => {
  const target = `/api/v2/repos/${ORG}?${"a=1&".repeat(3_800)}per_page=51`;
  const { status, body } = await ask({ target, headers: [key()] });
  expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 400, fields: ["query.per_page"] });
});

describe("credentials", () => {
  const withHeaders = (...headers: string[]) => ask({ target: `/api/v2/repos/${ORG}`, headers });

  it("are refused if there are several, even if one of them is right", async () => {
    const answer = { status: 400, body: refused("The header Authorization was sent more than once") };
    expect(await withHeaders(key(), key())).toEqual(answer);
    expect(await withHeaders(key(), "authorization: Bearer other")).toEqual(answer);
    expect(await withHeaders("Authorization: Bearer other", key())).toEqual(answer);
  });

  it.each([
    ["bytes that are not text", "Bearer \xff\xfe", "the API key is not known"],
    ["bytes that are not base64", "Basic \xff:\xff", "the API key is not known"],
    ["a very long key", `Bearer ${"x".repeat(14_000)}`, "the API key is not known"],
    ["a scheme alone", "Bearer", "the API key is not known"],
    ["Basic alone", "Basic", "the API key is not known"],
    ["spaces", "   ", "no credentials were sent"],
    ["a key alone", "de_x", "the authorization scheme is not supported (use Bearer or Basic)"],
    ["two keys", "Bearer a, Bearer b", "the API key is not known"],
  ])("are refused as %s", async (_, value, why) => {
    expect(await withHeaders(`authorization: ${value}`)).toEqual({
      status: 401,
      body: refused(`Unauthorized: ${why}`),
    });
  });
});

describe("a header that a request may have once", () => {
  it.each(["Host: other.example", "Content-Type: application/json"])("is refused twice: %s", async (line) => {
    const [name = ""] = line.split(":");
    const { status, body } = await putFlow(FLOW, "content-type: application/json", line);
    expect({ status, body }).toEqual({
      status: 400,
      body: refused(`The header ${name} was sent more than once`),
    });
  });
});

describe("a JSON body", () => {
  it.each([
    "text/plain",
    "text/plain; charset=utf-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "text/json",
    "json",
    "\xff",
  ])("is refused as %s", async (type) => {
    expect(await putFlow(FLOW, `content-type: ${type}`)).toEqual({
      status: 415,
      body: refused(`Content-Type '${type}' is not supported: send the body as application/json`),
    });
    expect(await flows()).toEqual([]);
  });

  it.each(["gzip", "br", "deflate, gzip", "identity, gzip", "\xff"])(
    "is refused in the encoding %s",
    async (encoding) => {
      expect(await putFlow(FLOW, `content-encoding: ${encoding}`)).toEqual({
        status: 415,
        body: refused(`Content-Encoding '${encoding}' is not supported`),
      });
      expect(await flows()).toEqual([]);
    },
  );

  it.each([
    ["UTF-16", Buffer.from(FLOW, "utf16le")],
    ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${FLOW}`, "utf16le")],
    ["Latin-1", Buffer.from(FLOW.replace("odd", "ö"), "latin1")],
    ["two byte order marks", Buffer.from(`\ufeff\ufeff${FLOW}`)],
    ["two values", Buffer.from(`${FLOW}${FLOW}`)],
  ])("is refused in %s", async (_, body) => {
    const { status, body: answer } = await putFlow(body, "content-type: application/json");
    expect({ status, fields: Object.keys(answer.errors) }).toEqual({ status: 400, fields: ["body"] });
    expect(await flows()).toEqual([]);
  });

  it("is taken with a byte order mark, without a type, and as any kind of JSON", async () => {
    const taken = [
      await putFlow(`\ufeff${FLOW}`, "content-type: application/json"),
      await putFlow(FLOW),
      await putFlow(FLOW, "content-type:"),
      await putFlow(FLOW, "content-type: Application/JSON;charset=UTF-8"),
      await putFlow(FLOW, "content-type: application/vnd.example+json"),
      await putFlow(FLOW, "content-encoding: identity"),
    ];
    expect(taken.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200]);
    expect(await flows()).toEqual(["odd"]);
  });
});
