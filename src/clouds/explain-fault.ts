import { type EvidenceError, InputError, NetworkError } from "../api/client/errors.ts";
import type { RemoteFault } from "./remote-fault.ts";

/** Characters quoted of the cloud's message. */
const QUOTED = 300;

interface Remedy {
  readonly input: string;
  /** Remedy if the cloud refused. */
  readonly advice: string;
  /** The input that is part of the host name. */
  readonly host?: string;
}

/** The error for users of what a cloud refused or could not do. */
export function explainFault(
  { message, detail = "", status, passes, cause }: RemoteFault,
  { input, advice, host }: Remedy,
): EvidenceError {
  const quoted =
    detail === "" ? message : `${message}: ${detail.slice(0, QUOTED).replace(/\s+/g, " ").trimEnd()}`;
  if (status !== undefined && status < 500 && !passes)
    return new InputError([{ input, code: "cloud.refused", problem: quoted }], { advice, cause });
  const isUnknownHost = cause instanceof Error && "code" in cause && cause.code === "ENOTFOUND";
  const next =
    isUnknownHost && host !== undefined ? `Check ${host}.` : "Try again later, or set a longer timeout.";
  return new NetworkError({
    what: quoted,
    advice: `Nothing was reported. ${next}`,
    fault: "CLOUD",
    cause,
  });
}
