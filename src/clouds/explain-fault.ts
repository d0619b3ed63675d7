import { type EvidenceError, InputError, NetworkError } from "../api/client/errors.ts";
import type { RemoteFault } from "./remote-fault.ts";

/** Characters quoted of the cloud's message. */
const QUOTED = 300;

/** The error for users of what a cloud refused or could not do. */
export function explainFault(
  { message, detail = "", status, passes, cause }: RemoteFault,
  { input, advice }: { readonly input: string; readonly advice: string },
): EvidenceError {
  const quoted =
    detail === "" ? message : `${message}: ${detail.slice(0, QUOTED).replace(/\s+/g, " ").trimEnd()}`;
  if (status !== undefined && status < 500 && !passes)
    return new InputError([{ input, code: "cloud.refused", problem: quoted }], { advice, cause });
  return new NetworkError({
    what: quoted,
    advice: "Nothing was reported. Try again later, or set a longer timeout.",
    fault: "CLOUD",
    cause,
  });
}
