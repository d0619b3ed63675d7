import Agent from "undici/lib/dispatcher/agent.js";
import { Deadline, DeadlinePassed } from "../../api/deadline.ts";
import { InputError, isEvidenceError, NetworkError, ProtocolError, TimeoutError } from "../../api/errors.ts";
import { failed } from "../../api/failed-exchange.ts";
import { parseJson } from "../../api/json.ts";
import { explainFault } from "../../api/network-fault.ts";
import { asText, isObject, type Untyped } from "../../api/untyped.ts";
import { type Answered, exchange } from "../oci/exchange.ts";
import { type ImageReference, imageName, parseImageReference } from "../oci/reference.ts";
import { faultCode } from "../unusable-path.ts";
import { type EngineAddress, engineAddress } from "./engine-address.ts";
import { chooseRepoDigest } from "./repo-digest.ts";

export interface EngineOptions {
  /** Where `DOCKER_HOST` and its kin are. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the work early, for a reason of its own. */
  readonly signal: AbortSignal;
  /** In seconds. */
  readonly timeLimit?: number;
}

const TIME_LIMIT_SECONDS = 30;
/** Of what the engine says of a failure, this much is quoted. */
const QUOTED = 300;

/**
 * The fingerprint of an image of the local Docker engine, in lower-case hex: the digest by which its registry knows
 * it. The engine learns it when the image is pushed or pulled.
 *
 * @param image as Docker's tools take it: `nginx`, `ghcr.io/owner/app:1.2`
 * @throws {InputError} (`artifact`, `artifact-type`) for an image that is not there or has no digest, and when there
 * is no engine that this user may ask
 * @throws {NetworkError}, {TimeoutError}, {ProtocolError} when the engine does not answer as it should
 */
export async function fingerprintLocalImage(image: string, options: EngineOptions): Promise<string> {
  const reference = parseImageReference(image);
  if (reference.digest !== undefined) return reference.digest;
  const address = await engineAddress(options.env);
  const answer = await inspect(reference, address, options);
  if (answer.headers["libpod-api-version"] !== undefined) throw podmanAnswered(address);
  const { status, bytes } = answer;
  const content = parseJson(bytes.toString())?.value;
  if (status === 404) {
    throw new InputError(
      [{ input: "artifact", problem: `the Docker engine has no image '${imageName(reference)}'` }],
      { advice: "Build or pull it in an earlier step, or use artifact-type: oci for one in a registry." },
    );
  }
  if (status !== 200 || !isObject(content)) throw notAnEngine(address, status, content);
  return chooseRepoDigest(reference, textsOf(content));
}

function textsOf(image: Untyped): string[] {
  const digests = image["RepoDigests"];
  return Array.isArray(digests) ? digests.map(asText).filter((text) => text !== "") : [];
}

async function inspect(
  reference: ImageReference,
  address: EngineAddress,
  { signal, timeLimit = TIME_LIMIT_SECONDS }: EngineOptions,
): Promise<Answered> {
  using deadline = new Deadline(timeLimit, signal);
  const { socketPath, tls, origin, name } = address;
  const connect = { signal: deadline.signal, ...(socketPath && { socketPath }), ...tls };
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  const url = new URL(`/images/${imageName(reference)}/json`, origin);
  try {
    return await exchange(agent, { method: "GET", url, headers: {} }, deadline.signal);
  } catch (error) {
    if (deadline.signal.reason instanceof DeadlinePassed) {
      const host = `the Docker engine at ${name}`;
      const what = failed(`no complete answer within ${timeLimit} s`, { host });
      throw new TimeoutError({ what, cause: error });
    }
    signal.throwIfAborted();
    throw isEvidenceError(error) ? error : notReached(error, name);
  } finally {
    await agent.destroy();
  }
}

function notReached(error: unknown, name: string): Error {
  const because = (why: string, advice: string) =>
    new InputError(
      [{ input: "artifact-type", problem: `docker needs the Docker engine at ${name}, ${why}` }],
      { advice, cause: error },
    );
  const other = "or push the image and use artifact-type: oci.";
  switch (faultCode(error)) {
    case "EACCES":
    case "EPERM":
      return because(
        "which this user may not ask (permission denied)",
        `Add the user to the group docker, ${other}`,
      );
    case "ENOENT":
    case "ENOTDIR":
    case "ECONNREFUSED":
      return because("where none answers", `Start it, name its address in DOCKER_HOST, ${other}`);
    default: {
      const { reason, code } = explainFault(error);
      return new NetworkError({
        what: failed(reason, { host: `the Docker engine at ${name}` }),
        code,
        cause: error,
      });
    }
  }
}

/**
 * Podman lists a digest for an image that it built and never pushed, and the registry makes another one of it as soon
 * as the layers are compressed on their way there.
 */
function podmanAnswered({ name }: EngineAddress): InputError {
  const problem = `docker needs a Docker engine, and podman answers at ${name}: the digests it lists need not be those of a registry`;
  return new InputError([{ input: "artifact-type", problem }], {
    advice:
      "Push the image and use artifact-type: oci, or give as `fingerprint` what podman push --digestfile wrote.",
  });
}

function notAnEngine({ name }: EngineAddress, status: number, content: unknown): ProtocolError {
  const said = isObject(content) ? asText(content["message"]).slice(0, QUOTED) : "";
  return new ProtocolError({
    what: failed(said || "no answer that can be read", { host: `the Docker engine at ${name}`, status }),
    advice: "Run `docker image inspect` in this job to see the failure alone.",
  });
}
