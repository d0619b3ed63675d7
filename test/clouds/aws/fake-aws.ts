import { hash } from "node:crypto";
import { onTestFinished } from "vitest";
import { Aws, type AwsLogin } from "../../../src/clouds/aws/aws.ts";
import type { CloudOptions } from "../../../src/clouds/cloud.ts";
import { selectNames } from "../../../src/evidence/name-selection.ts";
import { Deadline } from "../../../src/net/deadline.ts";
import { httpServer, type Received } from "../../api/local-server.ts";
import { type Keys, signatureFault } from "../../service/store/blobs/bucket/signature.ts";

export const REGION = "eu-central-1";
export const KEYS: Keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCY" };

/** A response: JSON, or XML as text. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request, as its service understands it. */
export interface FakeRequest extends Received {
  /** Service and region of the signature; empty for an unsigned request. */
  readonly service: string;
  readonly region: string;
  readonly query: URLSearchParams;
  /** Of `x-amz-target`: `ListTasks`. */
  readonly operation: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A server that checks all signatures and answers for all services of Amazon, until the test ends. */
export async function fakeAws(
  answer: (request: FakeRequest, count: number) => FakeAnswer | Promise<FakeAnswer>,
  { keys = [KEYS] }: { keys?: readonly Keys[] } = {},
) {
  const asked: FakeRequest[] = [];
  const server = await httpServer((response, received) => {
    const request = understood(received);
    asked.push(request);
    const answered = Promise.resolve(faultOf(request, keys) ?? answer(request, asked.length));
    void answered.then(({ status = 200, headers = {}, body = "" }) =>
      response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body)),
    );
  });
  return { url: server.url, asked, operations: () => asked.map(({ operation }) => operation) };
}

function understood(received: Received): FakeRequest {
  const [, , region = "", service = ""] = /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\//
    .exec(received.headers.authorization ?? "")
    ?.slice(0) ?? [""];
  const target = String(received.headers["x-amz-target"] ?? "");
  const text = received.body.toString();
  return {
    ...received,
    service,
    region,
    query: new URL(received.path, "http://aws").searchParams,
    operation: target.slice(target.lastIndexOf(".") + 1),
    json: text.startsWith("{") ? JSON.parse(text) : {},
  };
}

function faultOf(request: FakeRequest, keys: readonly Keys[]): FakeAnswer | undefined {
  if (request.service === "") return undefined;
  const { method, path: target, headers, region, service, body } = request;
  const sent = headers["x-amz-content-sha256"];
  const wrong =
    sent === hash("sha256", body)
      ? signatureFault({ method, target, headers }, keys, region, service)
      : "XAmzContentSHA256Mismatch";
  if (wrong === undefined) return undefined;
  const xml = `<Error><Code>${wrong}</Code><Message>no</Message></Error>`;
  return { status: 403, body: service === "s3" ? xml : { __type: wrong, message: "no" } };
}

/** Access to a fake, with what the user would see of it. */
export function accessTo(
  url: string,
  {
    login = {},
    seconds = 20,
    env = {},
    identityToken = () => Promise.reject(new Error("no identity")),
  }: {
    login?: AwsLogin;
    seconds?: number;
    env?: Readonly<Record<string, string>>;
    identityToken?: CloudOptions["identityToken"];
  } = {},
) {
  const warnings: string[] = [];
  const masked: string[] = [];
  const waits: number[] = [];
  const deadline = new Deadline(seconds);
  onTestFinished(() => deadline[Symbol.dispose]());
  const options: CloudOptions = {
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      ...env,
    },
    deadline,
    allowHttp: false,
    identityToken,
    mask: (secret) => masked.push(secret),
    info: () => {},
    onWarning: (text) => warnings.push(text),
    pause: async (ms) => {
      waits.push(ms);
    },
  };
  const aws = new Aws(options, login);
  onTestFinished(() => aws[Symbol.asyncDispose]());
  return { aws, options, warnings, masked, waits };
}

interface Names {
  readonly include?: readonly string[];
  readonly includeRegex?: readonly string[];
  readonly exclude?: readonly string[];
  readonly excludeRegex?: readonly string[];
}

export function names({ include = [], includeRegex = [], exclude = [], excludeRegex = [] }: Names = {}) {
  return selectNames(
    {
      include: ["include", include],
      includeRegex: ["include-regex", includeRegex],
      exclude: ["exclude", exclude],
      excludeRegex: ["exclude-regex", excludeRegex],
    },
    { things: "names" },
  );
}

/** The answer of the security token service to a role that is assumed. */
export function credentialsXml({ accessKeyId, secretAccessKey, sessionToken }: Keys): string {
  return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>
<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken>
<Expiration>${new Date(Date.now() + 900_000).toISOString()}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
}
