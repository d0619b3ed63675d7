import { Client, type Failure } from "../net/client.ts";
import type { Deadline } from "../net/deadline.ts";
import type { Answer } from "../net/exchange.ts";
import { PROFILES } from "../net/profiles.ts";
import { isRetriedStatus, type RetryRule, retry } from "../net/retry.ts";

export interface RefusedAnswer {
  readonly status: number;
  readonly code?: string | undefined;
  /** The text of the response, for operators and for owners of the login: it may name accounts and buckets. */
  readonly detail?: string | undefined;
  /** Minimum wait before the next attempt, in ms, as the server requests. */
  readonly waitMs?: number | undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: "the secret key does not belong to the access key",
  InvalidAccessKeyId: "the access key is not known",
  RequestTimeTooSkewed: "the clock of this machine is wrong",
  NoSuchBucket: "the bucket does not exist",
  PermanentRedirect: "the bucket is in another region: set AWS_REGION",
  AuthorizationHeaderMalformed: "the bucket is in another region: set AWS_REGION",
};

/** Names of transient faults, whatever their status. */
const PASSING = new Set([
  ...["RequestTimeout", "SlowDown", "IDPCommunicationError", "TooManyRequestsException"],
  ...["Throttling", "ThrottlingException", "ThrottledException", "RequestLimitExceeded"],
]);

const SILENCES = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** Whether an error says that the server accepted a request or connection and then sent nothing. */
export function isSilence(error: unknown): boolean {
  const cause = error instanceof RemoteFault ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && SILENCES.has(String(cause.code));
}

/** A fault of a cloud, a bucket or a source of credentials. Its message contains no secrets. */
export class RemoteFault extends Error {
  override readonly name = "RemoteFault";
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly passes: boolean;
  readonly waitMs: number;

  private constructor(
    message: string,
    passes: boolean,
    { status, code, detail, waitMs = 0, cause }: Partial<RefusedAnswer> & { cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.passes = passes;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.waitMs = waitMs;
  }

  /** @param renewable the codes of faults that pass because the caller renews its credentials */
  static answered(server: string, answer: RefusedAnswer, renewable: readonly string[] = []): RemoteFault {
    const { status, code } = answer;
    const advice = code === undefined ? undefined : ADVICE[code];
    const summary = `${server} answered ${status}${code === undefined ? "" : ` ${code}`}`;
    const passes =
      isRetriedStatus(status) || (code !== undefined && (PASSING.has(code) || renewable.includes(code)));
    return new RemoteFault(advice === undefined ? summary : `${summary}: ${advice}`, passes, answer);
  }

  /** A request without a response; its operation names the server. */
  static unreached(failure: Failure): RemoteFault {
    const { operation: server = "", cause } = failure;
    if (failure.kind === "too-late") return RemoteFault.late(server, cause);
    if (failure.kind !== "unanswered")
      return new RemoteFault(`${server} cannot be used: ${failure.kind}`, false);
    const { reason, retried } = failure.fault;
    return new RemoteFault(`${server} cannot be reached: ${reason}`, retried, { cause });
  }

  static late(server: string, cause: unknown): RemoteFault {
    return new RemoteFault(`${server} did not answer in time`, true, { cause });
  }

  static wrong(server: string, what: string, cause?: unknown): RemoteFault {
    return new RemoteFault(`${server} ${what}`, false, { cause });
  }
}

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 64;
const MAX_ATTEMPTS = 4;

/** @param silenceMs timeout without any data from the server */
export function remoteClient(silenceMs: number): Client {
  const socket = { timeout: Math.min(CONNECT_TIMEOUT_MS, silenceMs) };
  return new Client({
    profile: PROFILES.bucket,
    errorOf: RemoteFault.unreached,
    connect: { silenceMs, most: MAX_CONNECTIONS, socket },
  });
}

export async function attemptAgain<T>(
  attempt: () => Promise<T>,
  deadline: Deadline,
  rule: { readonly attempts?: number; readonly pause?: RetryRule<unknown>["pause"] } = {},
): Promise<T> {
  const tried = () =>
    attempt().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  const { outcome } = await retry<{ value: T } | { error: unknown }>(tried, {
    attempts: rule.attempts ?? MAX_ATTEMPTS,
    deadline,
    pause: rule.pause,
    least: (each) =>
      "error" in each && each.error instanceof RemoteFault && each.error.passes
        ? each.error.waitMs
        : undefined,
  });
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/** @throws RemoteFault unless the status is 2xx */
export function textOf(server: string, { status, bytes }: Answer): string {
  const text = bytes.toString();
  if (status !== 200) throw RemoteFault.answered(server, { status, detail: text.slice(0, 500) });
  return text;
}

export function faultText(error: unknown): string {
  if (!(error instanceof RemoteFault) || error.detail === undefined) return String(error);
  return `${error.message} (${error.detail})`;
}
