import { hash } from "node:crypto";
import { InputError } from "../../api/client/errors.ts";
import { type BodySource, bodyOf } from "../../net/body.ts";
import type { ClientRequest } from "../../net/client.ts";
import type { Answer } from "../../net/exchange.ts";
import { isLoopback } from "../../net/proxy.ts";
import { Cloud, type CloudOptions } from "../cloud.ts";
import { explainFault } from "../explain-fault.ts";
import { RemoteFault } from "../remote-fault.ts";
import { credentialSource } from "./credential-source.ts";
import { type CachedCredentials, cacheCredentials } from "./credentials.ts";
import { signed } from "./signed.ts";
import { amazonDomain, endpointOf, regionOf, variable } from "./variables.ts";

/** Inputs of the login. */
export interface AwsLogin {
  readonly awsRegion?: string | undefined;
  /** ARN of a role that trusts the job's identity. */
  readonly awsRole?: string | undefined;
}

/** Credentials by role, shared by the regions and environments of one step. */
export type AwsLogins = Map<string, CachedCredentials>;

export interface AwsRequest {
  /** Name of the service in host names and signatures: `lambda`. */
  readonly service: string;
  /** Right that the request needs: `lambda:ListFunctions`. */
  readonly right: string;
  readonly method?: ClientRequest["method"];
  /** The input that names what is asked, unless the login is at fault. By default, that of the region. */
  readonly input?: string;
  /** Remedy if Amazon refuses the request for another reason than the login. */
  readonly advice?: string;
  /** Replaces the region of the login, as for a bucket. */
  readonly region?: string;
  /** Replaces the region's host, as for a bucket. */
  readonly origin?: string;
  /** Encoded, with the query. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of a request to a JSON interface. */
  readonly json?: unknown;
  /** Body of a request to a form interface. */
  readonly form?: Readonly<Record<string, string>>;
  /** Statuses that are returned instead of thrown, besides 2xx. */
  readonly answers?: readonly number[];
  /** Called before each attempt, to receive the body of a success in chunks of any total size. */
  readonly receive?: () => (chunk: Buffer) => void;
}

const AUDIENCE = "sts.amazonaws.com";
/** The input that is part of host names. */
const HOST = "aws-region";
const BAD_LOGIN =
  /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId|ExpiredToken|InvalidToken|MissingAuthenticationToken|IncompleteSignature|RequestTimeTooSkewed)/;
const NOT_ALLOWED = /^(AccessDenied|UnauthorizedOperation|NotAuthorized)/;
/** Codes of a status 403 that no right would change: the object is in an archive. */
const NOT_READABLE = /^InvalidObjectState/;
const REGION = /^[a-z]{2,}(-[a-z]+)+-\d+$/;
const ROLE = /^arn:[\w-]+:iam::\d+:role\/\S+$/;

/** Amazon's interfaces in one region, with the credentials of the job. */
export class Aws implements AsyncDisposable {
  readonly cloud: Cloud;
  readonly region: string;
  /** The input or variable that the credentials come from. */
  readonly #login: string;
  readonly #credentials: CachedCredentials;

  /** @throws InputError without a region, or for a wrong role */
  constructor(options: CloudOptions, { awsRegion, awsRole }: AwsLogin, logins: AwsLogins = new Map()) {
    this.region = checkedRegion(awsRegion ?? regionOf(options.env));
    if (awsRole !== undefined && !ROLE.test(awsRole)) {
      const problem = `'${awsRole}' is not the ARN of a role, such as arn:aws:iam::123456789012:role/evidence`;
      throw new InputError([{ input: "aws-role", problem }]);
    }
    this.#login = awsRole === undefined ? loginVariable(options.env) : "aws-role";
    this.cloud = new Cloud(options);
    const key = awsRole ?? "";
    this.#credentials = logins.get(key) ?? cacheCredentials(() => this.#logIn(awsRole));
    logins.set(key, this.#credentials);
  }

  /**
   * @throws InputError (by the input's name) if Amazon refuses the login or the request, or without credentials
   * @throws NetworkError if it cannot be reached, or limits the rate until the deadline
   */
  async ask(request: AwsRequest): Promise<Answer> {
    const { service, method = "GET", path = "/", headers = {}, answers = [], receive } = request;
    const region = request.region ?? this.region;
    const body = contentOf(request);
    const url = new URL((request.origin ?? this.originOf(service)) + path);
    const operation = `Amazon ${service} in ${region}`;
    const prepare = async () => {
      const credentials = await this.#credentials.current();
      const signing = { credentials, service, region, sha256: body?.sha256 };
      const made = signed({ operation, method, url, headers }, signing);
      return {
        ...made,
        body: body?.source,
        ...(receive && { take: receive(), maxBytes: Number.POSITIVE_INFINITY }),
      };
    };
    try {
      return await this.cloud.ask(prepare, { answers });
    } catch (error) {
      if (!(error instanceof RemoteFault)) throw error;
      const input = isOfLogin(error) ? this.#login : (request.input ?? HOST);
      throw explainFault(error, { input, advice: adviceOf(error, request), host: HOST });
    }
  }

  /** Origin of a service in a region, or its endpoint from the variables. */
  originOf(service: string, region: string = this.region): string {
    return this.endpointOf(service) ?? `https://${service}.${region}.${amazonDomain(region)}`;
  }

  /** Endpoint of a service from the variables. @throws InputError if it would send requests without TLS */
  endpointOf(service: string): string | undefined {
    const { env, allowHttp } = this.cloud.options;
    const endpoint = endpointOf(env, service.toUpperCase());
    return endpoint === undefined ? undefined : checkedEndpoint(endpoint, allowHttp);
  }

  /** Its errors are final: the source has made its own attempts. */
  async #logIn(awsRole: string | undefined) {
    const { env, mask, identityToken } = this.cloud.options;
    // Checked here, because the source of credentials also serves instances without TLS.
    this.endpointOf("STS");
    const role = awsRole === undefined ? undefined : { arn: awsRole, token: () => identityToken(AUDIENCE) };
    // Its own connections, because the credentials may outlive this region.
    const own = new Cloud(this.cloud.options);
    try {
      const source = credentialSource(
        {
          environment: env,
          region: this.region,
          client: own.client,
          purpose: "AWS",
          role,
        },
        noLogin,
      );
      const credentials = await source();
      const { accessKeyId, secretAccessKey, sessionToken } = credentials;
      for (const secret of [accessKeyId, secretAccessKey, sessionToken]) if (secret) mask(secret);
      return credentials;
    } catch (error) {
      if (!(error instanceof RemoteFault)) throw error;
      const advice =
        role === undefined
          ? `Check ${this.#login}, and that the credentials it leads to have not expired.`
          : `Let the role trust the identity provider of this workflow, with the audience ${AUDIENCE} and this repository.`;
      throw explainFault(error, { input: this.#login, advice, host: HOST });
    } finally {
      await own[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud[Symbol.asyncDispose]();
  }
}

function contentOf({ json, form }: AwsRequest): { source: BodySource; sha256: string } | undefined {
  if (json === undefined && form === undefined) return undefined;
  const content = form ? new URLSearchParams(form).toString() : JSON.stringify(json);
  const type = form ? "application/x-www-form-urlencoded" : "application/x-amz-json-1.1";
  return { source: bodyOf(type, content), sha256: hash("sha256", content) };
}

/** Whether the login is wrong or lacks a right. */
function isOfLogin({ code = "", status }: Pick<RemoteFault, "code" | "status">): boolean {
  return BAD_LOGIN.test(code) || NOT_ALLOWED.test(code) || (status === 403 && !NOT_READABLE.test(code));
}

/** Variables of the logins without a role, in the order of their sources. */
const LOGINS = [
  ...["AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE"],
  ...["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"],
];

function loginVariable(env: CloudOptions["env"]): string {
  return LOGINS.find((name) => variable(env, name) !== undefined) ?? "AWS_ACCESS_KEY_ID";
}

function noLogin(): never {
  const problem = "is missing, and there is no other login to AWS";
  const advice =
    "Set aws-role, or log in to AWS earlier in this job. Outside of GitHub Actions, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
  throw new InputError([{ input: "aws-role", problem, missing: true }], { advice });
}

function adviceOf({ code = "", status }: RemoteFault, { right, advice }: AwsRequest): string {
  if (BAD_LOGIN.test(code))
    return "Log in to AWS again in this job: the credentials are invalid or have expired.";
  if (isOfLogin({ code, status })) return `Allow ${right} in the policy of this login.`;
  return advice ?? `Check the request that needs ${right}.`;
}

/** @throws InputError naming `aws-region` */
export function checkedRegion(region: string | undefined): string {
  if (region !== undefined && REGION.test(region)) return region;
  const problem =
    region === undefined
      ? "is missing; give the region, such as eu-central-1"
      : `'${region}' is not a region of AWS`;
  throw new InputError([{ input: "aws-region", problem, ...(region === undefined && { missing: true }) }]);
}

function checkedEndpoint(endpoint: string, allowHttp: boolean): string {
  const url = URL.parse(endpoint);
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && (allowHttp || isLoopback(url.hostname)));
  if (url && isSafe) return url.href.replace(/\/+$/, "");
  const problem = `must be an https:// address, not '${endpoint}'`;
  throw new InputError([{ input: "AWS_ENDPOINT_URL", problem }]);
}
