import { readFileSync } from "node:fs";
import { whyUnreadable } from "./file-faults.ts";

/** What is wrong with the variables that tell Node whom to trust, one sentence each: Node says it where nobody looks. */
export function tlsWarnings(env: NodeJS.ProcessEnv): string[] {
  const warnings: string[] = [];
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    warnings.push(
      "NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates are not checked, so whoever answers gets the API key. " +
        "Remove it, and name a private authority's certificate in NODE_EXTRA_CA_CERTS.",
    );
  }
  const path = env["NODE_EXTRA_CA_CERTS"];
  const fault = path ? faultOf(path) : undefined;
  if (fault !== undefined) warnings.push(`NODE_EXTRA_CA_CERTS is of no use: ${fault}`);
  return warnings;
}

function faultOf(path: string): string | undefined {
  try {
    if (readFileSync(path, "latin1").includes("-----BEGIN ")) return undefined;
    return `${path} holds no certificate in PEM`;
  } catch (error) {
    return `${path} ${whyUnreadable(error)}`;
  }
}
