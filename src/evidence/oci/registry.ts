import { hash } from "node:crypto";
import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject } from "../../api/untyped.ts";
import { Client, type ClientOptions, type ClientRequest } from "../../net/client.ts";
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
import { authorizationFor, type LoginRequest, parseChallenges, type Send } from "./token.ts";

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
  return atRepository(reference, options, async (repository) => {
    const head = await repository.ask({ method: "HEAD" });
    // Some registries reject HEAD, and some omit the digest.
    if (head.status === 405 || head.status === 501)
      return digestOfContent(await repository.read(), repository);
    repository.check(head);
    return reportedDigest(head, repository) ?? digestOfContent(await repository.read(), repository);
  });
}

/** Sends requests about an image to its registry while `work` runs. @throws as {@link fingerprintImage} */
export async function atRepository<T>(
  reference: ImageReference,
  options: RegistryOptions & { readonly push?: boolean },
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const { env, timeLimit = TIME_LIMIT_SECONDS, pause, allowHttp, push = false } = options;
  const registry = registryAddress(reference, allowHttp);
  using deadline = new Deadline(timeLimit, options.signal);
  await using client = new Client({
    profile: PROFILES.registry,
    errorOf: (failure) => failedAtRegistry(failure, push),
    proxyVariables: env,
    pause,
  });
  const send: Send = (request) => client.send(request, deadline);
  const login = { reference, registry, push, allowHttp };
  return await work(new Repository(login, send, { env, signal: deadline.signal }));
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

interface RepositoryRequest extends Pick<ClientRequest, "method" | "body"> {
  /** Path within the repository, or an address that the registry returned. By default, the image's manifest. */
  readonly to?: string | URL;
}

/** The repository of an image. Logs in if the registry requires it. */
export class Repository {
  readonly host: string;
  readonly #target: Omit<LoginRequest, "challenges" | "credentials">;
  readonly #ask: Send;
  readonly #helper: Pick<RegistryOptions, "env" | "signal">;
  #credentials: Credentials | undefined;
  #authorization: string | undefined;

  constructor(
    target: Omit<LoginRequest, "challenges" | "credentials">,
    ask: Send,
    helper: Pick<RegistryOptions, "env" | "signal">,
  ) {
    this.host = target.registry.host;
    this.#target = target;
    this.#ask = ask;
    this.#helper = helper;
  }

  async ask(request: RepositoryRequest): Promise<Answer> {
    const { answer, own } = await this.#send(request);
    if (answer.status !== 401 || !own || this.#authorization !== undefined) return answer;
    this.#credentials = await credentialsFor(this.#target.reference, this.#helper);
    const challenges = parseChallenges(answer.headers["www-authenticate"]);
    const login = { ...this.#target, challenges, credentials: this.#credentials };
    this.#authorization = await authorizationFor(login, this.#ask);
    return this.#authorization === undefined ? answer : (await this.#send(request)).answer;
  }

  /** @throws for a response that is no success */
  async done(request: RepositoryRequest): Promise<Answer> {
    const answer = await this.ask(request);
    this.check(answer);
    return answer;
  }

  /** The image's manifest. */
  read(): Promise<Answer> {
    return this.done({ method: "GET" });
  }

  /** @throws for a status that is no success */
  check({ status }: Answer): void {
    if (status >= 200 && status < 300) return;
    throw refusal({ ...this.#target, host: this.host, status, loggedIn: this.#credentials !== undefined });
  }

  /** Address that a response names for the next request. */
  next(answer: Answer): URL {
    return this.#redirected(this.#target.registry, answer, 0);
  }

  /** Follows redirects, without credentials once they leave the registry. `own` is false then. */
  async #send({ to, ...request }: RepositoryRequest): Promise<{ answer: Answer; own: boolean }> {
    const { reference, registry } = this.#target;
    const { repository, tag = "", digest } = reference;
    const path = to ?? `manifests/${digest === undefined ? tag : `sha256:${digest}`}`;
    let url = new URL(path, new URL(`/v2/${repository}/`, registry));
    let own = url.origin === registry.origin;
    for (let redirects = 0; ; redirects++) {
      const login = own && this.#authorization !== undefined ? { authorization: this.#authorization } : {};
      const answer = await this.#ask({ ...request, url, headers: { accept: MANIFEST_TYPES, ...login } });
      if (![301, 302, 303, 307, 308].includes(answer.status)) return { answer, own };
      url = this.#redirected(url, answer, redirects);
      own &&= url.origin === registry.origin;
    }
  }

  #redirected(from: URL, answer: Answer, redirects: number): URL {
    const location = headerOf(answer, "location") ?? "";
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    const mayBePlain = from.protocol === "http:" && to && (isLoopback(to.hostname) || this.#target.allowHttp);
    const secure = to?.protocol === "https:" || (to?.protocol === "http:" && mayBePlain);
    if (to && secure && to.username === "" && to.password === "" && redirects < MAX_REDIRECTS) return to;
    const where = to ? to.origin : "nowhere";
    const why = redirects < MAX_REDIRECTS ? `to ${where}` : `more than ${MAX_REDIRECTS} times`;
    throw new ProtocolError({
      what: `${from.host} redirected the request for '${imageName(this.#target.reference)}' ${why} (${answer.status})`,
      advice: "Use the registry that has the image itself.",
    });
  }
}

function reportedDigest(answer: Answer, { host }: Repository): string | undefined {
  const digest = headerOf(answer, "docker-content-digest");
  if (digest === undefined || digest === "") return undefined;
  const digits = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (digits !== undefined) return digits;
  throw new ProtocolError({
    what: `${host} returned a digest that is not a sha256: '${digest.slice(0, 100)}'`,
  });
}

/** Must agree with the registry's own digest. */
export function digestOfContent(answer: Answer, repository: Repository): string {
  const { host } = repository;
  // A proxy's or portal's page has a digest too.
  const content = asObject(parseJson(answer.bytes.toString())?.value);
  if (headerOf(answer, "content-encoding") !== undefined || content["schemaVersion"] !== 2) {
    throw new ProtocolError({
      what: `${host} did not return an image manifest`,
      advice: "Check that the first part of the name is an image registry.",
    });
  }
  const digest = hash("sha256", answer.bytes);
  const reported = reportedDigest(answer, repository);
  if (reported === undefined || reported === digest) return digest;
  throw new ProtocolError({
    what: `${host} reports the manifest as sha256:${reported}, but its content is sha256:${digest}`,
    advice: "The manifest was damaged in transit or in the registry. Try again, or push the image again.",
  });
}
