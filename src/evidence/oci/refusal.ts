import { type EvidenceError, InputError, NetworkError } from "../../api/client/errors.ts";
import { type Counterpart, failed, failedExchange } from "../../api/client/failed-exchange.ts";
import type { Failure } from "../../net/client.ts";
import { DOCKER_HUB, type ImageReference, imageName } from "./reference.ts";

const REACHABLE = "Check the name of the registry, and that the runner can reach it.";
/** Faults that show plain HTTP where TLS was expected. */
const NO_TLS = /^(?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;
const SPEAK_HTTP = "If this registry has no TLS, write http:// before its name and set allow-http: true.";

const REGISTRY: Counterpart = {
  name: "the registry",
  /** The usual advice names the service's input. */
  unanswered({ code, advice }) {
    if (NO_TLS.test(code)) return SPEAK_HTTP;
    return advice === "" || advice.includes("base-url") ? REACHABLE : advice;
  },
  tooLate: "Try again later, or set `fingerprint` to the image's digest, which needs no registry.",
};

/** A response with a long wait is treated by its status. */
export function failedAtRegistry(failure: Failure, push: boolean): Error | undefined {
  if (failure.kind === "long-wait") return undefined;
  const counterpart = push ? { ...REGISTRY, tooLate: "Try again later." } : REGISTRY;
  return failedExchange(failure.kind === "unanswered" ? { ...failure, attempts: 1 } : failure, counterpart);
}

/** The right that GitHub's registry requires. */
const PUSH = " In GitHub's registry, the job needs the permission `packages: write`.";

export interface Refusal {
  readonly reference: ImageReference;
  /** The registry or its token server. */
  readonly host: string;
  readonly status: number;
  /** Whether credentials were found. */
  readonly loggedIn: boolean;
  /** Whether the right to push is required. */
  readonly push: boolean;
}

/** Never quotes the response, which could contain a secret. */
export function refusal({ reference, host, status, loggedIn, push }: Refusal): EvidenceError {
  const image = imageName(reference);
  const problem = (text: string, advice: string) =>
    new InputError([{ input: "artifact", problem: `'${image}' ${text}` }], { advice });
  const right = push ? PUSH : "";
  const logIn = `Log in to ${reference.registry} in an earlier step, with docker/login-action or docker login.${right}`;
  const cannot = push ? "cannot be pushed to" : "cannot be read";
  const undone = push ? `'${image}' could not be pushed to` : `the digest of '${image}' could not be read`;
  switch (status) {
    case 401:
      return loggedIn
        ? problem(`${cannot}: ${host} does not accept the login for ${reference.registry} (401)`, logIn)
        : problem(`${cannot}: ${host} requires a login (401), and none was found`, logIn);
    case 403:
      return problem(
        `${cannot} ${loggedIn ? "with the login that was found" : "without a login"}, or does not exist (403 of ${host})`,
        loggedIn
          ? `Check the name, and that this login may ${push ? "push to" : "pull"} the image.${right}`
          : `Check the name. ${logIn}`,
      );
    case 404:
      return problem(
        `was not found in ${host}, or is hidden ${loggedIn ? "from the login that was found" : "without a login"} (404)`,
        "Check the image's name and tag, and that the image was pushed before this step.",
      );
    case 429:
      return new NetworkError({
        what: failed(`too many requests: ${undone}`, { host, status }),
        advice: loggedIn ? "Try again later." : rateAdvice(reference, logIn),
        fault: "REGISTRY",
      });
    default:
      return new NetworkError({
        what: failed(undone, { host, status }),
        advice:
          status >= 500 ? "Try again later." : "Check that the first part of the name is an image registry.",
        fault: "REGISTRY",
      });
  }
}

function rateAdvice({ registry }: ImageReference, logIn: string): string {
  return registry === DOCKER_HUB
    ? `Without a login, all jobs with the same IP address share Docker Hub's limit. ${logIn}`
    : `Try again later, or with a login. ${logIn}`;
}
