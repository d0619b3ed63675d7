import { explainFault } from "../../../../net/network-fault.ts";
import { isRetriedStatus } from "../../../../net/retry.ts";

/** What an answer that is no success says of itself. */
export interface RefusedAnswer {
  readonly status: number;
  /** The name of the fault, such as `AccessDenied`. */
  readonly code?: string | undefined;
  /** In words, for operators alone: it may name accounts and buckets. */
  readonly detail?: string | undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: "the secret key does not belong to the access key",
  InvalidAccessKeyId: "the access key is not known there",
  RequestTimeTooSkewed: "the clock of this machine is wrong",
  NoSuchBucket: "there is no such bucket",
  PermanentRedirect: "the bucket is in another region: set AWS_REGION",
  AuthorizationHeaderMalformed: "the bucket is in another region: set AWS_REGION",
};

/** Names of faults that pass, whatever the status they come with. */
const PASSING = new Set(["RequestTimeout", "SlowDown", "ExpiredToken"]);

const SILENCES = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** Whether an error says that the other side accepted a request, or a connection, and then sent nothing. */
export function isSilence(error: unknown): boolean {
  const cause = error instanceof RemoteFault ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && SILENCES.has(String(cause.code));
}

/** A store, or what gives credentials for it, did not do what it was asked. Its message has nothing secret in it. */
export class RemoteFault extends Error {
  override readonly name = "RemoteFault";
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** For the log. */
  readonly detail: string | undefined;
  /** Whether it may go better when it is asked again. */
  readonly passes: boolean;

  private constructor(
    message: string,
    passes: boolean,
    { status, code, detail, cause }: Partial<RefusedAnswer> & { cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.passes = passes;
    this.status = status;
    this.code = code;
    this.detail = detail;
  }

  /** @param who what answered, as in "the bucket" */
  static answered(who: string, answer: RefusedAnswer): RemoteFault {
    const { status, code } = answer;
    const advice = code === undefined ? undefined : ADVICE[code];
    const said = `${who} answered ${status}${code === undefined ? "" : ` ${code}`}`;
    const passes = isRetriedStatus(status) || (code !== undefined && PASSING.has(code));
    return new RemoteFault(advice === undefined ? said : `${said}: ${advice}`, passes, answer);
  }

  static unreached(who: string, cause: unknown): RemoteFault {
    if (cause instanceof Error && cause.name === "TimeoutError") {
      return new RemoteFault(`${who} did not answer in time`, true, { cause });
    }
    const { reason, retried } = explainFault(cause);
    return new RemoteFault(`${who} cannot be reached: ${reason}`, retried, { cause });
  }

  static wrong(who: string, what: string, cause?: unknown): RemoteFault {
    return new RemoteFault(`${who} ${what}`, false, { cause });
  }
}

/** A fault with all that an operator may see. */
export function faultText(error: unknown): string {
  if (!(error instanceof RemoteFault) || error.detail === undefined) return String(error);
  return `${error.message} (${error.detail})`;
}
