import { hash } from "node:crypto";
import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject } from "../../api/untyped.ts";
import { Deadline } from "../../net/deadline.ts";
import { isLoopback } from "../../net/proxy.ts";
import { parseChallenges } from "./challenge.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { type Credentials, credentialsFor } from "./credentials.ts";
import { type Answered, headerOf } from "./exchange.ts";
import { DOCKER_HUB, type ImageReference, imageName, parseImageReference } from "./reference.ts";
import { refusal } from "./refusal.ts";
import { authorizationFor } from "./token.ts";

export interface RegistryOptions {
  /** Where the credential files and proxy variables are, and all of a credential helper's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Allows `http://` to registries on other machines. */
  readonly allowHttp: boolean;
  /** Ends the work early, for a reason of its own. */
  readonly signal: AbortSignal;
  /** For all of the work, in seconds. */
  readonly timeLimit?: number;
  readonly pause?: ConnectionOptions["pause"];
}

const TIME_LIMIT_SECONDS = 60;
/** How often a registry may send us on. Some have their images in another: registry.k8s.io is one. */
const MAX_REDIRECTS = 3;

/** What a tag may stand for: an index of images for several platforms, or one image; in OCI's form or Docker's. */
const MANIFESTS = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/**
 * The fingerprint of an image in a registry, in lower-case hex: the digest of its manifest, or of the index when it
 * is made for several platforms. A digest in the name is taken as it is, and nobody is asked.
 *
 * @param image as Docker's tools take it: `nginx`, `ghcr.io/owner/app:1.2`
 * @throws {InputError} (`artifact`) for what the author of the workflow can cure: a wrong name, a missing login
 * @throws {NetworkError} when the registry cannot be reached or cannot serve
 * @throws {TimeoutError} when it does not answer in time
 * @throws {ProtocolError} when its answer is not one of a registry
 */
export async function fingerprintImage(image: string, options: RegistryOptions): Promise<string> {
  const reference = parseImageReference(image);
  if (reference.digest !== undefined) return reference.digest;
  const { env, timeLimit = TIME_LIMIT_SECONDS, pause, allowHttp } = options;
  const registry = registryAddress(reference, allowHttp);
  using deadline = new Deadline(timeLimit, options.signal);
  await using connections = new Connections({ env, deadline, ...(pause && { pause }) });
  const inquiry = new Inquiry(reference, registry, connections, { ...options, signal: deadline.signal });
  const head = await inquiry.ask("HEAD");
  // Some registries know no HEAD, and some do not name the digest.
  if (head.status === 405 || head.status === 501) return digestOfContent(await inquiry.read(), registry);
  inquiry.check(head);
  return reportedDigest(head, registry) ?? digestOfContent(await inquiry.read(), registry);
}

/** @throws {InputError} (`artifact`) for a plain registry elsewhere: who listens in could answer in its place */
function registryAddress({ registry, plainHttp }: ImageReference, allowHttp: boolean): URL {
  const host = registry === DOCKER_HUB ? "registry-1.docker.io" : registry;
  const url = new URL(`https://${host}`);
  const local = isLoopback(url.hostname);
  if (plainHttp && !local && !allowHttp) {
    throw new InputError([
      {
        input: "artifact",
        problem: `'${registry}' is written with http://, where anyone on the way could answer in its place; use https, or set allow-http: true`,
      },
    ]);
  }
  // Docker's own tools take it that a registry on this machine needs no TLS.
  return local || plainHttp ? new URL(`http://${host}`) : url;
}

/** Asks one registry for one manifest, and logs in when it is told to. */
class Inquiry {
  readonly #reference: ImageReference;
  readonly #registry: URL;
  readonly #connections: Connections;
  readonly #options: RegistryOptions;
  #credentials: Credentials | undefined;
  #authorization: string | undefined;

  constructor(reference: ImageReference, registry: URL, connections: Connections, options: RegistryOptions) {
    this.#reference = reference;
    this.#registry = registry;
    this.#connections = connections;
    this.#options = options;
  }

  /** The registry's answer; after a login when it asked for one. */
  async ask(method: "HEAD" | "GET"): Promise<Answered> {
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
      this.#connections,
    );
    return this.#authorization === undefined ? answer : (await this.#send(method)).answer;
  }

  /** The manifest itself. */
  async read(): Promise<Answered> {
    const answer = await this.ask("GET");
    this.check(answer);
    return answer;
  }

  /** @throws for every answer but success */
  check({ status }: Answered): void {
    if (status === 200) return;
    const loggedIn = this.#credentials !== undefined;
    throw refusal({ reference: this.#reference, host: this.#registry.host, status, loggedIn });
  }

  /** Follows redirects, without the login as soon as they leave the registry. `own` says that they did not. */
  async #send(method: "HEAD" | "GET"): Promise<{ answer: Answered; own: boolean }> {
    const { repository, tag = "" } = this.#reference;
    let url = new URL(`/v2/${repository}/manifests/${tag}`, this.#registry);
    let own = true;
    for (let redirects = 0; ; redirects++) {
      const login = own && this.#authorization !== undefined ? { authorization: this.#authorization } : {};
      const answer = await this.#connections.send({ method, url, headers: { accept: MANIFESTS, ...login } });
      if (![301, 302, 303, 307, 308].includes(answer.status)) return { answer, own };
      url = this.#redirected(url, answer, redirects);
      own &&= url.origin === this.#registry.origin;
    }
  }

  #redirected(from: URL, answer: Answered, redirects: number): URL {
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
      advice: "Name the registry in `artifact` that has the image itself.",
    });
  }
}

/** What `Docker-Content-Digest` says. */
function reportedDigest(answer: Answered, { host }: URL): string | undefined {
  const told = headerOf(answer, "docker-content-digest");
  if (told === undefined || told === "") return undefined;
  const digits = /^sha256:([0-9a-f]{64})$/.exec(told)?.[1];
  if (digits !== undefined) return digits;
  throw new ProtocolError({
    what: `${host} names the image by something other than a sha256: '${told.slice(0, 100)}'`,
  });
}

/** The digest of a manifest that was read whole. What the registry says of it has to agree. */
function digestOfContent(answer: Answered, registry: URL): string {
  const { host } = registry;
  // A page that a proxy or portal answers with has a digest too.
  const content = asObject(parseJson(answer.bytes.toString())?.value);
  if (headerOf(answer, "content-encoding") !== undefined || content["schemaVersion"] !== 2) {
    throw new ProtocolError({
      what: `${host} answered with something other than the manifest of an image`,
      advice: "Check that the first part of the name is an image registry.",
    });
  }
  const digest = hash("sha256", answer.bytes);
  const told = reportedDigest(answer, registry);
  if (told === undefined || told === digest) return digest;
  throw new ProtocolError({
    what: `${host} calls the manifest sha256:${told}, but its bytes are sha256:${digest}`,
    advice: "It was damaged on the way or in the registry: try again, or push the image anew.",
  });
}
