import { explainFault } from "../../net/network-fault.ts";
import { RefusedAddress } from "../delivery/outgoing/guarded-agent.ts";

/** Why a request was not delivered. */
type FailureCode =
  /** It would have gone where nothing may be sent. */
  | "refused_address"
  /** The name of the host is not known, or the name server did not answer. */
  | "dns"
  | "connect"
  | "tls"
  /** The deadline passed before the status had come. */
  | "timeout"
  /** The connection broke before the status had come. */
  | "reset"
  /** The headers of the answer are longer than any should be. */
  | "too_large"
  /** What answered does not speak HTTP. */
  | "not_http"
  /** The answer is no success. A redirect is none. */
  | `status_${number}`;

export interface Failure {
  readonly outcome: FailureCode;
  /** What happened, in a sentence for people without a full stop. It holds nothing of the answer. */
  readonly detail: string;
}

const BY_CODE: Readonly<Record<string, FailureCode>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  EAI_NODATA: "dns",
  ETIMEDOUT: "connect",
  UND_ERR_HEADERS_OVERFLOW: "too_large",
};

/**
 * What kept a request from being answered.
 *
 * @throws the error itself when it tells of a request that cannot be sent to anybody, as of a header with a line break
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof RefusedAddress) return { outcome: "refused_address", detail: error.message };
  const { code, reason, retried, mayHaveArrived } = explainFault(error);
  if (code === "UND_ERR_INVALID_ARG") throw error;
  const detail = `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
  const byCode = BY_CODE[code];
  if (byCode !== undefined) return { outcome: byCode, detail };
  if (mayHaveArrived) return { outcome: code.startsWith("HPE_") ? "not_http" : "reset", detail };
  return { outcome: retried ? "connect" : "tls", detail };
}
