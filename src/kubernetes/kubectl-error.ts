import { InputError, NetworkError } from "../api/client/errors.ts";
import { parseJson } from "../api/json.ts";
import { asObject, asText } from "../api/untyped.ts";
import type { ProgramNotStarted } from "../net/run-program.ts";
import { contextAdvice, type Kubectl } from "./contexts.ts";

/** A failure of kubectl, or of the API server behind it. */
export class ClusterFault extends Error {
  /** May succeed when repeated, as after a lost connection. */
  readonly transient: boolean;
  /** The API server forgot the list's position, so the list must start over. */
  readonly expired: boolean;
  readonly notFound: boolean;

  constructor(message: string, kind: { transient?: boolean; expired?: boolean; notFound?: boolean } = {}) {
    super(message);
    this.transient = kind.transient ?? false;
    this.expired = kind.expired ?? false;
    this.notFound = kind.notFound ?? false;
  }
}

/** Characters quoted from the end of kubectl's message, where the reason is. */
const QUOTED = 2_000;

const FORBIDDEN = /cannot (\w+) resource "([^"]+)"[^\n]*?(at the cluster scope|in the namespace "[^"]+")/;
const TRANSIENT =
  /\((InternalError|ServiceUnavailable|Timeout|ServerTimeout|TooManyRequests)\)|connection (refused|reset)|timeout|timed out|deadline exceeded|\bEOF\b/i;
/** Without a kubeconfig, kubectl tries `localhost:8080`. */
const NO_CLUSTER =
  /localhost:8080|no configuration has been provided|stat .*no such file|loading config file|x509:|no such host/;

export function faultFromStderr(stderr: string): ClusterFault {
  return new ClusterFault(stderr, {
    transient: TRANSIENT.test(stderr) && !NO_CLUSTER.test(stderr),
    expired: /\((Expired|Gone)\)/.test(stderr),
    notFound: /\(NotFound\)/.test(stderr),
  });
}

/** The fault of an API server response other than 200, in kubectl's words. */
export function faultFromAnswer(status: number, body: string): ClusterFault {
  const { reason, message } = asObject(parseJson(body)?.value);
  const text =
    typeof message === "string"
      ? `Error from server (${asText(reason) || status}): ${message}`
      : `the API server answered ${status}: ${body.slice(0, 200)}`;
  return new ClusterFault(text, {
    transient: status === 408 || status === 429 || status >= 500,
    expired: status === 410,
    notFound: status === 404,
  });
}

export function kubectlMissing(program: string, cause: ProgramNotStarted): InputError {
  const why = cause.absent ? "was not found" : `cannot be started: ${cause.message}`;
  const problem = `K8S requires '${program}', which ${why}`;
  return new InputError([{ input: "type", problem }], {
    advice: "Install kubectl, or add its folder to PATH before this step.",
    cause,
  });
}

/** The right that the API server found missing: its verb, its resource and where it is needed. */
export function missingRight(message: string): { right: string; isClusterWide: boolean } | undefined {
  const forbidden = FORBIDDEN.exec(message);
  if (!forbidden && !/\(?Forbidden\)?:|is forbidden/.test(message)) return undefined;
  const [, verb = "list", resource = "pods", scope = "at the cluster scope"] = forbidden ?? [];
  const right = `Grant the verb '${verb}' on the resource '${resource}' ${scope}`;
  return { right, isClusterWide: scope.startsWith("at") };
}

/** The error for users. Faults that the workflow's author can fix name the input; others have the code `KUBECTL`. */
export async function explainFault(
  fault: ClusterFault,
  kubectl: Kubectl,
): Promise<InputError | NetworkError> {
  const text = fault.message.trim();
  const quoted = theEnd(text) || "nothing";
  const problem = `the pods could not be read; kubectl reported: ${quoted}`;
  const because = (input: string, advice: string) =>
    new InputError([{ input, code: "cluster.refused", problem }], { advice });
  const missing = missingRight(text);
  if (missing) {
    const other = missing.isClusterWide ? ", or set `namespaces` to those that it may read" : "";
    return because("namespaces", `${missing.right}${other}.`);
  }
  if (/\(Unauthorized\)|You must be logged in|provide credentials/.test(text)) {
    return because(
      "kubeconfig",
      "The kubeconfig's credentials were rejected or have expired: log in to the cluster in this job.",
    );
  }
  if (/executable .* not found|getting credentials/.test(text)) {
    return because("kubeconfig", "The login plugin failed: install it and log in before this step.");
  }
  if (kubectl.context && text.includes(`context "${kubectl.context}" does not exist`)) {
    return because("context", await contextAdvice(kubectl));
  }
  if (NO_CLUSTER.test(text)) {
    return because("kubeconfig", "Set `kubeconfig` to the path of a file that is valid for this cluster.");
  }
  return new NetworkError({
    what: `the pods could not be read from the cluster; kubectl reported: ${quoted}`,
    advice: "Nothing was reported. Run `kubectl get pods` in this job to reproduce the failure.",
    fault: "KUBECTL",
  });
}

function theEnd(message: string): string {
  const text = message.trim();
  return text.length > QUOTED ? `…${text.slice(-QUOTED)}` : text;
}
