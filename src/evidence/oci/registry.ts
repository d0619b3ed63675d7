import { hash } from "node:crypto";
import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject } from "../../api/untyped.ts";
import { Client, type ClientOptions } from "../../net/client.ts";
import { Deadline } from "../../net/deadline.ts";
import type { Answer } from "../../net/exchange.ts";
import { headerOf } from "../../net/headers.ts";
import { PROFILES } from "../../net/profiles.ts";
import { isLoopback } from "../../net/proxy.ts";
import { type Credentials, credentialsFor } from "./credentials.ts";
import {
  DOCKER_HUB,
  type ImageReference,
  imageName,
  MANIFEST_TYPES,
  parseImageReference,
} from "./reference.ts";
import { failedAtRegistry, refusal } from "./refusal.ts";
import { authorizationFor, parseChallenges, type Send } from "./token.ts";

export interface RegistryOptions {
  /** Environment for credential files and proxies, and the whole environment of a credential helper. */
  readonly env: Readonly<Record<string, string>>;
  /** Allows `http://` beyond this machine. */
  readonly allowHttp: boolean;
  readonly signal: AbortSignal;
  readonly timeLimit?: number;
  readonly pause?: ClientOptions["pause"];
}

const TIME_LIMIT_SECONDS = 60;
/** Some registries, such as registry.k8s.io, redirect to others. */
const MAX_REDIRECTS = 3;

/**
 * The lower-case hex digest of an image's manifest, or of its index for several platforms. A digest in the name is
 * used without a request.
 *
 * @param image `nginx`, `ghcr.io/owner/app:1.2`
 * @throws {InputError} (`artifact`) for what the workflow's author can fix: a wrong name, a missing login
 * @throws {NetworkError}, {TimeoutError}, {ProtocolError} for an unreachable, slow or broken registry
 */
export async function fingerprintImage(image: string, options: RegistryOptions): Promise<string> {
  const reference = parseImageReference(image);
  if (reference.digest !== undefined) return reference.digest;
  const { env, timeLimit = TIME_LIMIT_SECONDS, pause, allowHttp } = options;
  const registry = registryAddress(reference, allowHttp);
  using deadline = new Deadline(timeLimit, options.signal);
  await using client = new Client({
    profile: PROFILES.registry,
    errorOf: failedAtRegistry,
    proxyVariables: env,
    pause,
  });
  const send: Send = (request) => client.send(request, deadline);
  const inquiry = new Inquiry(reference, registry, send, { ...options, signal: deadline.signal });
  const head = await inquiry.ask("HEAD");
  // Some registries reject HEAD, and some omit the digest.
  if (head.status === 405 || head.status === 501) return digestOfContent(await inquiry.read(), registry);
  inquiry.check(head);
  return reportedDigest(head, registry) ?? digestOfContent(await inquiry.read(), registry);
}

/** @throws {InputError} (`artifact`) for plain HTTP to other machines, which anyone on the network path could answer */
function registryAddress({ registry, plainHttp }: ImageReference, allowHttp: boolean): URL {
  const host = registry === DOCKER_HUB ? "registry-1.docker.io" : registry;
  const url = new URL(`https://${host}`);
  const local = isLoopback(url.hostname);
  if (plainHttp && !local && !allowHttp) {
    throw new InputError([
      {
        input: "artifact",
        problem: `'${registry}' is written with http://, so anyone on the network path could answer for it; use https, or set allow-http: true`,
      },
    ]);
  }
  // As in Docker's tools, registries on this machine use plain HTTP.
  return local || plainHttp ? new URL(`http://${host}`) : url;
}

/** Requests one manifest, and logs in if required. */
class Inquiry {
  readonly #reference: ImageReference;
  readonly #registry: URL;
  readonly #ask: Send;
  readonly #options: RegistryOptions;
  #credentials: Credentials | undefined;
  #authorization: string | undefined;

  constructor(reference: ImageReference, registry: URL, ask: Send, options: RegistryOptions) {
    this.#reference = reference;
    this.#registry = registry;
    this.#ask = ask;
    this.#options = options;
  }

  /** Logs in if the registry requires it. */
  async ask(method: "HEAD" | "GET"): Promise<Answer> {
    const { answer, own } = await this.#send(method);
    if (answer.status !== 401 || !own || this.#authorization !== undefined) return answer;
    this.#credentials = await credentialsFor(this.#reference, this.#options);
    this.#authorization = await authorizationFor(
      {
        reference: this.#reference,
        registry: this.#registry,
        challenges: parseChallenges(answer.headers["www-authenticate"]),
        credentials: this.#credentials,
        allowHttp: this.#options.allowHttp,
      },
      this.#ask,
    );
    return this.#authorization === undefined ? answer : (await this.#send(method)).answer;
  }

  async read(): Promise<Answer> {
    const answer = await this.ask("GET");
    this.check(answer);
    return answer;
  }

  /** @throws for any status but 200 */
  check({ status }: Answer): void {
    if (status === 200) return;
    const loggedIn = this.#credentials !== undefined;
    throw refusal({ reference: this.#reference, host: this.#registry.host, status, loggedIn });
  }

  /** Follows redirects, without credentials once they leave the registry. `own` is false then. */
  async #send(method: "HEAD" | "GET"): Promise<{ answer: Answer; own: boolean }> {
    const { repository, tag = "" } = this.#reference;
    let url = new URL(`/v2/${repository}/manifests/${tag}`, this.#registry);
    let own = true;
    for (let redirects = 0; ; redirects++) {
      const login = own && this.#authorization !== undefined ? { authorization: this.#authorization } : {};
      const answer = await this.#ask({ method, url, headers: { accept: MANIFEST_TYPES, ...login } });
      if (![301, 302, 303, 307, 308].includes(answer.status)) return { answer, own };
      url = this.#redirected(url, answer, redirects);
      own &&= url.origin === this.#registry.origin;
    }
  }

  #redirected(from: URL, answer: Answer, redirects: number): URL {
    const location = headerOf(answer, "location") ?? "";
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    const mayBePlain =
      from.protocol === "http:" && to && (isLoopback(to.hostname) || this.#options.allowHttp);
    const secure = to?.protocol === "https:" || (to?.protocol === "http:" && mayBePlain);
    if (to && secure && to.username === "" && to.password === "" && redirects < MAX_REDIRECTS) return to;
    const where = to ? to.origin : "nowhere";
    const why = redirects < MAX_REDIRECTS ? `to ${where}` : `more than ${MAX_REDIRECTS} times`;
    throw new ProtocolError({
      what: `${from.host} redirected the request for '${imageName(this.#reference)}' ${why} (${answer.status})`,
      advice: "In `artifact`, use the registry that has the image itself.",
    });
  }
}

function reportedDigest(answer: Answer, { host }: URL): string | undefined {
  const digest = headerOf(answer, "docker-content-digest");
  if (digest === undefined || digest === "") return undefined;
  const digits = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (digits !== undefined) return digits;
  throw new ProtocolError({
    what: `${host} returned a digest that is not a sha256: '${digest.slice(0, 100)}'`,
  });
}

/** Must agree with the registry's own digest. */
function digestOfContent(answer: Answer, registry: URL): string {
  const { host } = registry;
  // A proxy's or portal's page has a digest too.
  const content = asObject(parseJson(answer.bytes.toString())?.value);
  if (headerOf(answer, "content-encoding") !== undefined || content["schemaVersion"] !== 2) {
    throw new ProtocolError({
      what: `${host} did not return an image manifest`,
      advice: "Check that the first part of the name is an image registry.",
    });
  }
  const digest = hash("sha256", answer.bytes);
  const reported = reportedDigest(answer, registry);
  if (reported === undefined || reported === digest) return digest;
  throw new ProtocolError({
    what: `${host} reports the manifest as sha256:${reported}, but its content is sha256:${digest}`,
    advice: "The manifest was damaged in transit or in the registry. Try again, or push the image again.",
  });
}
