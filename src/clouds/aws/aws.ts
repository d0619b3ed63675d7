import { hash } from "node:crypto";
import { InputError } from "../../api/client/errors.ts";
import { bodyOf } from "../../net/body.ts";
import type { ClientRequest } from "../../net/client.ts";
import type { Answer } from "../../net/exchange.ts";
import { isLoopback } from "../../net/proxy.ts";
import { Cloud, type CloudOptions } from "../cloud.ts";
import { explainFault } from "../explain-fault.ts";
import { RemoteFault } from "../remote-fault.ts";
import { credentialSource } from "./credential-source.ts";
import { type CachedCredentials, cacheCredentials } from "./credentials.ts";
import { signed } from "./signed.ts";
import { amazonDomain, endpointOf, regionOf } from "./variables.ts";

/** Inputs of the login. */
export interface AwsLogin {
  readonly awsRegion?: string | undefined;
  /** ARN of a role that trusts the job's identity. */
  readonly awsRole?: string | undefined;
}

export interface AwsRequest {
  /** Name of the service in host names and signatures: `lambda`. */
  readonly service: string;
  /** Right that the request needs: `lambda:ListFunctions`. */
  readonly right: string;
  readonly method?: ClientRequest["method"];
  /** Replaces the region's host, as for a bucket. */
  readonly origin?: string;
  /** Encoded, with the query. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body. */
  readonly json?: unknown;
  /** Statuses that are returned instead of thrown, besides 2xx. */
  readonly answers?: readonly number[];
}

const AUDIENCE = "sts.amazonaws.com";
const BAD_LOGIN =
  /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId|ExpiredToken|InvalidToken|MissingAuthenticationToken|IncompleteSignature|RequestTimeTooSkewed)/;
const NOT_ALLOWED = /^(AccessDenied|UnauthorizedOperation|NotAuthorized)/;
const REGION = /^[a-z]{2,}(-[a-z]+)+-\d$/;

/** Amazon's interfaces in one region, with the credentials of the job. */
export class Aws implements AsyncDisposable {
  readonly cloud: Cloud;
  readonly region: string;
  readonly #input: string;
  readonly #credentials: CachedCredentials;

  /** @throws InputError without a region or credentials */
  constructor(options: CloudOptions, { awsRegion, awsRole }: AwsLogin) {
    const { env, mask, identityToken } = options;
    this.region = checkedRegion(awsRegion ?? regionOf(env));
    this.#input = awsRole === undefined ? "AWS_ACCESS_KEY_ID" : "aws-role";
    this.cloud = new Cloud(options);
    const role = awsRole === undefined ? undefined : { arn: awsRole, token: () => identityToken(AUDIENCE) };
    const source = credentialSource({
      environment: env,
      region: this.region,
      client: this.cloud.client,
      purpose: "AWS",
      role,
      onInstance: false,
    });
    this.#credentials = cacheCredentials(async () => {
      const credentials = await source();
      const { accessKeyId, secretAccessKey, sessionToken } = credentials;
      for (const secret of [accessKeyId, secretAccessKey, sessionToken]) if (secret) mask(secret);
      return credentials;
    });
  }

  /**
   * @throws InputError (by the input's name) if Amazon refuses the login or the request
   * @throws NetworkError if it cannot be reached, or limits the rate until the deadline
   */
  async ask(request: AwsRequest): Promise<Answer> {
    const { service, method = "GET", path = "/", headers = {}, json, answers = [] } = request;
    const origin = request.origin ?? this.originOf(service);
    const body = json === undefined ? undefined : bodyOf("application/x-amz-json-1.1", JSON.stringify(json));
    const sha256 = json === undefined ? undefined : hash("sha256", JSON.stringify(json));
    const url = new URL(origin + path);
    const prepare = async () => {
      const credentials = await this.#credentials.current();
      const operation = `Amazon ${service} in ${this.region}`;
      const parts = { operation, method, url, headers };
      return { ...(await signed(parts, { credentials, service, region: this.region, sha256 })), body };
    };
    try {
      return await this.cloud.ask(prepare, { answers });
    } catch (error) {
      throw error instanceof RemoteFault ? this.#explained(error, request) : error;
    }
  }

  /** Origin of a service in this region, or its endpoint from the variables. */
  originOf(service: string): string {
    const { env, allowHttp } = this.cloud.options;
    const endpoint = endpointOf(env, service.toUpperCase());
    if (endpoint === undefined) return `https://${service}.${this.region}.${amazonDomain(this.region)}`;
    return checkedEndpoint(endpoint, allowHttp);
  }

  #explained(fault: RemoteFault, { right }: AwsRequest): Error {
    const code = fault.code ?? "";
    const login = this.#input;
    const failsToLogIn = fault.message.startsWith("the security token service");
    const advice = failsToLogIn
      ? `Let the role trust the identity provider of this workflow, with the audience ${AUDIENCE} and this repository.`
      : BAD_LOGIN.test(code)
        ? "Log in to AWS again in this job: the credentials are invalid or have expired."
        : NOT_ALLOWED.test(code) || fault.status === 403
          ? `Allow ${right} in the policy of this login.`
          : `Check the request that needs ${right}.`;
    return explainFault(fault, { input: login, advice });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud[Symbol.asyncDispose]();
  }
}

function checkedRegion(region: string | undefined): string {
  if (region !== undefined && REGION.test(region)) return region;
  const problem =
    region === undefined
      ? "is missing; give the region, such as eu-central-1"
      : `'${region}' is no region of AWS`;
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
