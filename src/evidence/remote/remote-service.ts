import { describeBody } from "../../api/client/answer.ts";
import { InputError, NetworkError, ProtocolError } from "../../api/client/errors.ts";
import { failed, failedExchange } from "../../api/client/failed-exchange.ts";
import { hiding } from "../../api/client/hiding.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { bodyOf } from "../../net/body.ts";
import { Client, type ClientOptions, type Failure } from "../../net/client.ts";
import type { Deadline } from "../../net/deadline.ts";
import type { Answer } from "../../net/exchange.ts";
import { explainFault } from "../../net/network-fault.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback } from "../../net/proxy.ts";
import { isRetriedStatus } from "../../net/retry.ts";

/** Characters quoted of the service's message. */
const QUOTED = 300;

export interface RemoteOptions {
  /** `Jira` */
  readonly name: string;
  /** Ends with a slash. */
  readonly address: URL;
  readonly inputs: { readonly address: string; readonly token: string };
  /** Hidden in messages. */
  readonly secrets: readonly string[];
  /** Advice about a refused token, as a sentence. */
  readonly tokenAdvice?: string | undefined;
  /** A further status that is retried. */
  readonly retriedStatus?: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly deadline: Deadline;
  readonly retries: number;
  readonly info: (line: string) => void;
  readonly pause?: ClientOptions["pause"];
}

export interface Question {
  /** Below the address: `rest/api/2/myself`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly authorization: string;
  /** Sent as JSON, by POST. */
  readonly body?: unknown;
}

/** A third-party service with an access token. */
export class RemoteService {
  readonly #options: RemoteOptions;
  readonly #proxy: URL | undefined;
  readonly #hide: (text: string) => string;
  readonly #client: Client;

  /** @throws {InputError} for an invalid proxy variable */
  constructor(options: RemoteOptions) {
    const { name, address, retries, retriedStatus, pause, info } = options;
    this.#options = options;
    this.#hide = hiding(options.secrets);
    this.#client = new Client({
      profile: {
        ...PROFILES.tracker,
        attempts: retries + 1,
        isRetried: (status) => status === retriedStatus || isRetriedStatus(status),
      },
      errorOf: (failure) => this.#failed(failure),
      proxyVariables: options.env,
      pause,
      onRetry: ({ attempt, attempts, reason, waitMs }) =>
        info(
          `Attempt ${attempt} of ${attempts} to reach ${name} failed: ${reason}. Retrying in ${(waitMs / 1000).toFixed(1)} s.`,
        ),
    });
    this.#proxy = this.#client.proxyFor(address);
  }

  /**
   * Returns the last response after retries, with any status. Redirects are errors, since the token is only for this
   * address.
   *
   * @throws {NetworkError} without a response
   * @throws {TimeoutError} if the deadline passes, or would before the next attempt
   * @throws {ProtocolError} for a redirect or an oversized response
   */
  ask({ path, query = {}, authorization, body }: Question): Promise<Answer> {
    const { address, deadline } = this.#options;
    const url = new URL(address.href + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { accept: "application/json", authorization };
    if (body === undefined) return this.#client.send({ method: "GET", url, headers }, deadline);
    const json = bodyOf("application/json", JSON.stringify(body));
    return this.#client.send({ method: "POST", url, headers, body: json }, deadline);
  }

  /**
   * The JSON of a 200 response.
   *
   * @param subject what was requested, such as `the issue WEB-7`
   * @throws {InputError} (by the names of the inputs) for what the user can fix, such as a rejected token
   * @throws {NetworkError}, {ProtocolError} for any other response
   */
  read(answer: Answer, subject: string): unknown {
    const content = parseJson(answer.bytes.toString())?.value;
    if (answer.status !== 200) throw this.refusal(answer, subject);
    if (typeof content === "object" && content !== null) return content;
    throw this.unexpected(answer, `not JSON: ${this.#excerpt(answer)}`);
  }

  refusal(answer: Answer, subject: string): Error {
    const { name, inputs, tokenAdvice } = this.#options;
    const { status } = answer;
    const message = this.messageIn(answer);
    // Azure DevOps answers unknown tokens with 203 and its sign-in page.
    if (status === 401 || status === 403 || status === 203) {
      const why = status === 403 ? `does not let the token read ${subject}` : "does not accept the token";
      const problem = `${name} ${why}: ${message} (${this.#options.address.host}, status ${status})`;
      return new InputError([{ input: inputs.token, problem }], {
        advice: `${tokenAdvice ?? "Check the token and its permissions."} Check also that ${inputs.address} is the ${name} that issued it.`,
      });
    }
    return new NetworkError({
      what: failed(`${name} did not return ${subject}: ${message}`, { ...this.#exchange, status }),
      advice: status >= 500 ? "Try again later." : `Check ${inputs.address}.`,
      fault: "REMOTE",
    });
  }

  unexpected({ status }: Pick<Answer, "status">, what: string): ProtocolError {
    const { name, inputs } = this.#options;
    return new ProtocolError({
      what: failed(`${name} returned an unusable response: ${what}`, { ...this.#exchange, status }),
      advice: `Check that ${inputs.address} is the address of ${name}, and that no login page or proxy is in front of it.`,
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  get #exchange() {
    return { host: this.#options.address.host, proxy: this.#proxy?.host };
  }

  /** The message of an error response, or else the start of the response. */
  messageIn(answer: Answer): string {
    const content: unknown = parseJson(answer.bytes.toString())?.value;
    return this.#hide(messagesIn(asObject(content))).slice(0, QUOTED) || this.#excerpt(answer);
  }

  #excerpt(answer: Answer): string {
    return describeBody(answer, { hide: this.#hide }, QUOTED);
  }

  #failed(failure: Failure): Error {
    const { inputs, name } = this.#options;
    // Reported as a fault of the connection, even within a response.
    const explained =
      failure.kind === "unanswered" ? { ...failure, fault: explainFault(failure.cause) } : failure;
    return failedExchange(explained, {
      name,
      // The advice names our own service's input.
      unanswered: ({ advice }) => advice.replaceAll("base-url", inputs.address),
      tooLate: "Try again later, or set a longer timeout.",
      redirected: {
        to: (target) => this.#hide(target?.origin ?? "nowhere"),
        advice: `Redirects are not followed, because the token could leak: check ${inputs.token}, and that ${inputs.address} is the address of ${name}.`,
      },
    });
  }
}

/** Works with a service and closes its connections. */
export async function withRemote<T>(
  options: RemoteOptions,
  work: (remote: RemoteService) => Promise<T>,
): Promise<T> {
  const remote = new RemoteService(options);
  // `await using` would add its helpers to the bundle, which are larger than the rest of this file.
  try {
    return await work(remote);
  } finally {
    await remote.close();
  }
}

/**
 * Jira lists `errorMessages`, Sonar `errors` with a `msg` each, and Bitbucket Data Center with a `message`. GitLab and
 * Azure DevOps have one `message`, Bitbucket Cloud has it in `error`.
 */
function messagesIn({ errorMessages, errors, error, message }: Untyped): string {
  const jira = Array.isArray(errorMessages) ? errorMessages.map(asText) : [];
  const listed = asObjects(errors).map((each) => asText(each["msg"]) || asText(each["message"]));
  const single = [asText(message), asText(error), asText(asObject(error)["message"])];
  return [...jira, ...listed, ...single].filter(Boolean).join("; ");
}

/** @throws {InputError} (by the input's name) if no header can carry the token */
export function remoteToken(input: string, token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const problem = "must not contain blanks or characters outside ASCII; copy only the token";
  throw new InputError([{ input, problem }]);
}

/**
 * The base address of a service, with a final slash.
 *
 * @throws {InputError} for an invalid address, or one that would send the token unencrypted
 */
export function remoteAddress(input: string, text: string, allowHttp: boolean): URL {
  const refuse = (problem: string) => new InputError([{ input, problem }]);
  // The parser drops line breaks silently, and another host could follow one.
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw refuse("must be a complete address such as https://acme.example.com");
  if (url.username !== "" || url.password !== "") throw refuse("must not contain a user or password");
  // An empty query or fragment is not in `search` or `hash`, but would swallow an appended path.
  if (/[?#]/.test(url.href)) throw refuse("must not contain a query or fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowHttp)
    throw refuse("is http://, which would send the token unencrypted; use https://, or set allow-http: true");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/`;
  return url;
}
