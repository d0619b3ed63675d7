import {
  type ConnectionOptions,
  type KeylessOptions,
  REGIONS,
  type Region,
} from "../api/client/connection.ts";
import type { RetryNote } from "../api/transport.ts";
import { credentialsFrom } from "./credentials.ts";
import { given, type parse, type Terminal, UsageError } from "./usage.ts";

/** The options of every command that asks a service. */
export const CONNECTION_OPTIONS = {
  org: { type: "string" },
  region: { type: "string" },
  "base-url": { type: "string" },
  timeout: { type: "string" },
  retries: { type: "string" },
  "auth-scheme": { type: "string" },
  "allow-http": { type: "boolean" },
} as const;

type Values = ReturnType<typeof parse<typeof CONNECTION_OPTIONS>>["values"];

/**
 * How to reach the service, from options and variables.
 *
 * @param defaultOrg whose evidence it is when nobody says; without it, and without a key, somebody must
 * @throws {UsageError} for what is missing or cannot be understood
 */
export async function connectionOptions(
  values: Values,
  { environment, note }: Terminal,
  defaultOrg?: string,
): Promise<ConnectionOptions | KeylessOptions> {
  const baseUrl = values["base-url"] ?? given(environment, "EVIDENCE_BASE_URL");
  const credentials = credentialsFrom(environment, baseUrl !== undefined);
  const named = values.org ?? given(environment, "EVIDENCE_ORG");
  const org = named ?? ("apiKey" in credentials ? defaultOrg : undefined);
  if (org === undefined) throw new UsageError("Say whose evidence it is: --org NAME or EVIDENCE_ORG");
  const region = values.region ?? given(environment, "EVIDENCE_REGION");
  const scheme = values["auth-scheme"];
  if (region !== undefined && !isRegion(region)) {
    throw new UsageError(`'${region}' is not a region: ${Object.keys(REGIONS).join(" and ")} are`);
  }
  if (scheme !== undefined && scheme !== "bearer" && scheme !== "basic") {
    throw new UsageError(`'${scheme}' is not a scheme: bearer and basic are`);
  }
  const reached = {
    org,
    ...(region !== undefined && { region }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(values.timeout !== undefined && { timeout: numberOf(values.timeout) }),
    ...(values.retries !== undefined && { retries: numberOf(values.retries) }),
    ...(values["allow-http"] && { allowHttp: true }),
    proxyVariables: environment,
    onRetry: ({ attempt, attempts, reason }: RetryNote) =>
      note(`attempt ${attempt} of ${attempts} failed: ${reason}`),
  };
  if ("apiKey" in credentials) {
    return { ...reached, ...credentials, ...(scheme !== undefined && { authScheme: scheme }) };
  }
  const { workflowTokens } = await import("../github/step/workflow-token.ts");
  const policy = given(environment, "EVIDENCE_TRUST_POLICY");
  // No command prints its tokens. A line that has them masked would put them where a script keeps what is printed.
  const mask = () => {};
  return { ...reached, accessTokens: workflowTokens({ ...credentials, options: reached, policy, mask }) };
}

function isRegion(text: string): text is Region {
  return Object.hasOwn(REGIONS, text);
}

/** What is no number is refused with the other limits. */
function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
