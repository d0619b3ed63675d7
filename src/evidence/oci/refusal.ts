import { type EvidenceError, InputError, NetworkError } from "../../api/client/errors.ts";
import { failed } from "../../api/client/failed-exchange.ts";
import { DOCKER_HUB, type ImageReference, imageName } from "./reference.ts";

/** Who refused what, and what we came with. */
export interface Refusal {
  readonly reference: ImageReference;
  /** The registry, or the server that it gives its tokens by. */
  readonly host: string;
  readonly status: number;
  /** Whether a login for the registry was found. */
  readonly loggedIn: boolean;
}

/** The error for an answer other than success. It never holds what the other side said: that could be a secret. */
export function refusal({ reference, host, status, loggedIn }: Refusal): EvidenceError {
  const image = imageName(reference);
  const problem = (text: string, advice: string) =>
    new InputError([{ input: "artifact", problem: `'${image}' ${text}` }], { advice });
  const logIn = `Log in to ${reference.registry} in an earlier step, with docker/login-action or docker login.`;
  switch (status) {
    case 401:
      return loggedIn
        ? problem(`cannot be read: ${host} does not accept the login for ${reference.registry} (401)`, logIn)
        : problem(`cannot be read: ${host} asks for a login (401), and none was found`, logIn);
    case 403:
      return problem(
        `may not be read ${loggedIn ? "with the login that was found" : "without a login"}, or does not exist (403 of ${host})`,
        loggedIn ? "Check its name, and that this login may pull it." : `Check its name. ${logIn}`,
      );
    case 404:
      return problem(
        `was not found in ${host}, or is hidden ${loggedIn ? "from the login that was found" : "without a login"} (404)`,
        "Check its name and tag, and that it was pushed before this step.",
      );
    case 429:
      return new NetworkError({
        what: failed(`too many requests for now: the digest of '${image}' is not known`, { host, status }),
        advice: loggedIn ? "Try again later." : rateAdvice(reference, logIn),
        code: "REGISTRY",
      });
    default:
      return new NetworkError({
        what: failed(`the digest of '${image}' is not known`, { host, status }),
        advice:
          status >= 500 ? "Try again later." : "Check that the first part of the name is an image registry.",
        code: "REGISTRY",
      });
  }
}

function rateAdvice({ registry }: ImageReference, logIn: string): string {
  return registry === DOCKER_HUB
    ? `Without a login all jobs behind one address share Docker Hub's limit. ${logIn}`
    : `Try again later, or with a login. ${logIn}`;
}
