import { describe, expect, test } from "vitest";
import { InputError, NetworkError } from "../../../src/api/client/errors.ts";
import { Aws, type AwsLogins } from "../../../src/clouds/aws/aws.ts";
import { accessTo, credentialsXml, type FakeAnswer, fakeAws, KEYS, REGION } from "./fake-aws.ts";

const OK: FakeAnswer = { body: { ok: true } };
const LIST = { service: "lambda", right: "lambda:ListFunctions" };
const NO_KEY = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" };
const ROLE = "arn:aws:iam::123456789012:role/evidence";
const SESSION = { accessKeyId: "ASIASESSION", secretAccessKey: "of-the-session", sessionToken: "session+/=" };

/** The error of a request that gets these answers in turn. */
async function faultOf(answers: readonly FakeAnswer[], seconds = 20) {
  const server = await fakeAws((_, count) => answers[Math.min(count, answers.length) - 1] ?? OK);
  const access = accessTo(server.url, { seconds });
  const outcome: unknown = await access.aws.ask(LIST).catch((error: unknown) => error);
  return { outcome, requests: server.asked.length, waits: access.waits };
}

describe("a request to Amazon", () => {
  test.each([
    ["429", { status: 429, headers: { "x-amzn-errortype": "TooManyRequestsException:http://internal" } }],
    ["400 ThrottlingException", { status: 400, body: { __type: "com.amazon#ThrottlingException" } }],
    ["503", { status: 503 }],
  ])("is repeated after %s", async (_, refusal) => {
    const { outcome, requests, waits } = await faultOf([refusal, refusal, OK]);
    expect(outcome).toMatchObject({ status: 200 });
    expect({ requests, waits: waits.length }).toEqual({ requests: 3, waits: 2 });
  });

  test("is given up after ten attempts, and when the next wait exceeds the deadline", async () => {
    const limited = { status: 429, body: { __type: "TooManyRequestsException", message: "Rate exceeded" } };
    const { outcome, requests } = await faultOf([limited]);
    expect(outcome).toBeInstanceOf(NetworkError);
    expect(outcome).toMatchObject({
      message: `Amazon lambda in ${REGION} answered 429 TooManyRequestsException: Rate exceeded`,
      advice: "Nothing was reported. Try again later, or set a longer timeout.",
    });
    expect(requests).toBe(10);
    const later = await faultOf([{ ...limited, headers: { "retry-after": "60" } }]);
    expect(later.outcome).toBeInstanceOf(NetworkError);
    expect(later.requests).toBe(1);
  });

  test("without an answer ends with the deadline", async () => {
    const { httpServer } = await import("../../api/local-server.ts");
    const silent = await httpServer(() => {});
    const { aws } = accessTo(silent.url, { seconds: 0.2 });
    await expect(aws.ask(LIST)).rejects.toThrow(`Amazon lambda in ${REGION} did not answer in time`);
  });

  test.each([
    [403, "AccessDeniedException", "Allow lambda:ListFunctions in the policy of this login."],
    [
      403,
      "UnrecognizedClientException",
      "Log in to AWS again in this job: the credentials are invalid or have expired.",
    ],
    [
      400,
      "ExpiredTokenException",
      "Log in to AWS again in this job: the credentials are invalid or have expired.",
    ],
    [400, "ValidationException", "Check the request that needs lambda:ListFunctions."],
  ])("answered by %d %s is final and names the remedy", async (status, __type, advice) => {
    const input = __type === "ValidationException" ? "aws-region" : "AWS_ACCESS_KEY_ID";
    const { outcome, requests } = await faultOf([{ status, body: { __type, message: "User is not …" } }]);
    expect(outcome).toBeInstanceOf(InputError);
    expect(outcome).toMatchObject({
      code: "cloud.refused",
      message: `${input}: Amazon lambda in ${REGION} answered ${status} ${__type}: User is not …`,
      advice,
    });
    expect(requests).toBe(1);
  });

  test("with an endless code of an error ends at once, and quotes its start", async () => {
    const body = { __type: `com.amazon#${":".repeat(50_000)}\n::error::` };
    const before = process.cpuUsage();
    const { outcome } = await faultOf([{ status: 400, body: { ...body, message: "m".repeat(50_000) } }]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
    expect(String(outcome).length).toBeLessThan(600);
    expect(String(outcome)).not.toContain("\n");
  });

  test("with a wrong key is refused", async () => {
    const server = await fakeAws(() => OK);
    const { aws } = accessTo(server.url, { env: { AWS_SECRET_ACCESS_KEY: "wrong" } });
    await expect(aws.ask(LIST)).rejects.toThrow(/SignatureDoesNotMatch: the secret key does not belong/);
  });

  test("has a signed body", async () => {
    const server = await fakeAws(() => OK);
    const { aws } = accessTo(server.url);
    await aws.ask({ service: "ecs", right: "ecs:ListClusters", method: "POST", json: { a: "ü" } });
    expect(server.asked[0]?.headers["content-type"]).toBe("application/x-amz-json-1.1");
    expect(server.asked[0]?.json).toEqual({ a: "ü" });
  });
});

describe("the login", () => {
  test.each([
    [{ AWS_REGION: "" }, "aws-region: is missing; give the region, such as eu-central-1"],
    [{ AWS_REGION: "mars" }, "aws-region: 'mars' is not a region of AWS"],
  ])("needs a region: %j", async (env, message) => {
    expect(() => accessTo("http://127.0.0.1:9", { env })).toThrow(message);
  });

  test("needs the ARN of a role", () => {
    expect(() => accessTo("", { login: { awsRole: "evidence" } })).toThrow(
      "aws-role: 'evidence' is not the ARN of a role, such as arn:aws:iam::123456789012:role/evidence",
    );
  });

  test.each([
    [NO_KEY, "aws-role: is missing, and there is no other login to AWS"],
    [
      { ...NO_KEY, AWS_WEB_IDENTITY_TOKEN_FILE: "/nowhere", AWS_ROLE_ARN: ROLE },
      "AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere' cannot be read",
    ],
    [
      {
        ...{ ...NO_KEY, AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://127.0.0.1:9/" },
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/nowhere",
      },
      "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/nowhere' cannot be read",
    ],
    [
      { ...NO_KEY, AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://10.0.0.1/" },
      "AWS_CONTAINER_CREDENTIALS_FULL_URI: must be an https:// address or one of this machine, not 'http://10.0.0.1/'",
    ],
    [{ AWS_SECRET_ACCESS_KEY: "" }, "AWS_SECRET_ACCESS_KEY: is missing, although AWS_ACCESS_KEY_ID is set"],
    [{ AWS_ENDPOINT_URL: "http://aws.example" }, "AWS_ENDPOINT_URL: must be an https:// address"],
  ])("is refused before the first request: %j", async (env, message) => {
    const server = await fakeAws(() => OK);
    await expect(accessTo(server.url, { env }).aws.ask(LIST)).rejects.toThrow(message);
    expect(server.asked).toEqual([]);
  });

  const assumed = (answers: readonly FakeAnswer[]) => {
    let logins = 0;
    return fakeAws(({ service }) => (service === "" ? (answers[logins++] ?? answers.at(-1) ?? OK) : OK), {
      keys: [SESSION],
    });
  };
  const withRole = (url: string, tokens: string[]) =>
    accessTo(url, {
      login: { awsRole: ROLE },
      identityToken: async (audience) => {
        tokens.push(audience);
        return `token-${tokens.length}`;
      },
    });

  test("by a role needs no key, takes precedence over one, and is masked and shared", async () => {
    const server = await assumed([{ body: credentialsXml(SESSION) }]);
    const tokens: string[] = [];
    const { aws, masked, options } = withRole(server.url, tokens);
    await Promise.all([aws.ask(LIST), aws.ask(LIST)]);
    expect(tokens).toEqual(["sts.amazonaws.com"]);
    expect(masked).toEqual(Object.values(SESSION));
    const form = new URLSearchParams(server.asked[0]?.body.toString());
    expect(Object.fromEntries(form)).toMatchObject({ RoleArn: ROLE, WebIdentityToken: "token-1" });
    const logins: AwsLogins = new Map();
    for (const awsRegion of ["eu-west-1", "us-east-1"]) {
      await using region = new Aws(options, { awsRole: ROLE, awsRegion }, logins);
      await region.ask(LIST);
    }
    expect(tokens).toHaveLength(2);
    expect(server.asked.map(({ region }) => region)).toEqual([
      ...["", REGION, REGION],
      ...["", "eu-west-1", "us-east-1"],
    ]);
  });

  test("by a role sends no token without TLS", async () => {
    const server = await assumed([{ body: credentialsXml(SESSION) }]);
    const tokens: string[] = [];
    const { aws } = accessTo(server.url, {
      login: { awsRole: ROLE },
      env: { AWS_ENDPOINT_URL_STS: "http://sts.example" },
      identityToken: async (audience) => `token ${tokens.push(audience)}`,
    });
    await expect(aws.ask(LIST)).rejects.toThrow("AWS_ENDPOINT_URL: must be an https:// address");
    expect({ tokens, asked: server.asked }).toEqual({ tokens: [], asked: [] });
  });

  test("that the token service cannot check yet is repeated with a fresh token", async () => {
    const fault = { status: 400, body: "<Error><Code>IDPCommunicationError</Code></Error>" };
    const server = await assumed([fault, { body: credentialsXml(SESSION) }]);
    const tokens: string[] = [];
    await withRole(server.url, tokens).aws.ask(LIST);
    expect(tokens).toHaveLength(2);
  });

  test("that the role does not trust is final", async () => {
    const body = "<Error><Code>AccessDenied</Code><Message>Not authorized to perform</Message></Error>";
    const server = await assumed([{ status: 403, body }]);
    const outcome: unknown = await withRole(server.url, [])
      .aws.ask(LIST)
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({
      message: "aws-role: the security token service answered 403 AccessDenied: Not authorized to perform",
      advice: expect.stringContaining("with the audience sts.amazonaws.com and this repository"),
    });
    expect(server.asked).toHaveLength(1);
  });
});

test("logins without a role are used in the order of keys, workload and container", async () => {
  const container = { AccessKeyId: "ASIACONTAINER", SecretAccessKey: "of-the-container", Token: "t" };
  const keys = { accessKeyId: "ASIACONTAINER", secretAccessKey: "of-the-container", sessionToken: "t" };
  const Expiration = new Date(Date.now() + 900_000).toISOString();
  const server = await fakeAws(
    ({ service, method }) => {
      if (service !== "") return OK;
      return { body: method === "POST" ? credentialsXml(SESSION) : { ...container, Expiration } };
    },
    { keys: [KEYS, SESSION, keys] },
  );
  const workload = { AWS_WEB_IDENTITY_TOKEN_FILE: import.meta.filename, AWS_ROLE_ARN: ROLE };
  const all = { ...workload, AWS_CONTAINER_CREDENTIALS_FULL_URI: server.url };
  const none = { AWS_WEB_IDENTITY_TOKEN_FILE: "", AWS_ROLE_ARN: "" };
  for (const env of [all, { ...all, ...NO_KEY }, { ...all, ...NO_KEY, ...none }])
    await accessTo(server.url, { env }).aws.ask(LIST);
  const used = server.asked.map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? "")?.[1]);
  expect(used.filter(Boolean)).toEqual([KEYS.accessKeyId, SESSION.accessKeyId, keys.accessKeyId]);
});

test("a workload's login that is refused is named by its variable", async () => {
  const body = "<Error><Code>ExpiredTokenException</Code><Message>Token expired</Message></Error>";
  const server = await fakeAws(() => ({ status: 400, body }));
  const env = { ...NO_KEY, AWS_WEB_IDENTITY_TOKEN_FILE: import.meta.filename, AWS_ROLE_ARN: ROLE };
  const outcome: unknown = await accessTo(server.url, { env })
    .aws.ask(LIST)
    .catch((error: unknown) => error);
  expect(outcome).toMatchObject({
    message:
      "AWS_WEB_IDENTITY_TOKEN_FILE: the security token service answered 400 ExpiredTokenException: Token expired",
    advice: "Check AWS_WEB_IDENTITY_TOKEN_FILE, and that the credentials it leads to have not expired.",
  });
});

test.each([
  ["eu-central-1", "https://ecs.eu-central-1.amazonaws.com"],
  ["cn-north-1", "https://ecs.cn-north-1.amazonaws.com.cn"],
  ["us-gov-west-1", "https://ecs.us-gov-west-1.amazonaws.com"],
  ["eusc-de-east-1", "https://ecs.eusc-de-east-1.amazonaws.eu"],
])("the hosts of %s are those of its partition", (region, origin) => {
  const { aws } = accessTo("", { login: { awsRegion: region } });
  expect(aws.originOf("ecs")).toBe(origin);
});
