import { readFileSync } from "node:fs";
import { whyUnreadable } from "./file-faults.ts";

/** Problems of Node's TLS variables, one sentence each. Node's own warnings are easily overlooked. */
export function tlsWarnings(env: NodeJS.ProcessEnv): string[] {
  const warnings: string[] = [];
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    warnings.push(
      "NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates are not checked, so any server that answers gets the API key. " +
        "Remove the variable, and set NODE_EXTRA_CA_CERTS to the certificate of your private authority.",
    );
  }
  const path = env["NODE_EXTRA_CA_CERTS"];
  const fault = path ? faultOf(path) : undefined;
  if (fault !== undefined) warnings.push(`NODE_EXTRA_CA_CERTS has no effect: ${fault}`);
  return warnings;
}

function faultOf(path: string): string | undefined {
  try {
    if (readFileSync(path, "latin1").includes("-----BEGIN ")) return undefined;
    return `${path} has no certificate in PEM`;
  } catch (error) {
    return `${path} ${whyUnreadable(error)}`;
  }
}
