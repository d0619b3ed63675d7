import type { Region } from "../api/client/connection-options.ts";
import type { Role } from "../api/resources/service-accounts.ts";
import type { WORKFLOW_ROLES as SERVED_WORKFLOW_ROLES } from "../api/resources/trust-policies.ts";
import { flag, list, text } from "./usage.ts";

/*
 * The values are written out here because the modules that they come from load all schemas of the interface, which
 * help and completion do without. A test compares them.
 */
export const REGION_NAMES = ["eu", "us"] as const satisfies readonly Region[];
export const ROLE_NAMES = [
  "admin",
  "member",
  "attester",
  "approver",
  "snapshotter",
  "auditor",
  "reader",
] as const satisfies readonly Role[];
export const WORKFLOW_ROLE_NAMES = [
  "member",
  "attester",
  "approver",
  "snapshotter",
  "auditor",
  "reader",
] as const satisfies typeof SERVED_WORKFLOW_ROLES;

const variable = true;

export const EXPIRES = text("DATE", "Expiry, such as 2027-01-31 or 2027-01-31T12:00:00Z", {
  otherwise: "never",
});

export const SCOPE = {
  flow: list("FLOW", "Flow to limit access to"),
  environment: list("ENVIRONMENT", "Environment to limit access to"),
};

/** Formats of output. */
export const OUTPUTS = ["table", "json"] as const;
export const output = (otherwise: (typeof OUTPUTS)[number]) =>
  text("FORMAT", "Format of the output", { values: OUTPUTS, otherwise });

export const ORG = text("NAME", "Organization", { variable });

const BASE_URL = text("URL", "Address of your own service", { variable });
const ALLOW_HTTP_ADDRESS = flag("Allow an http:// address of another machine");

/** Options of commands that sign in and out. */
export const LOGIN_OPTIONS = { "base-url": BASE_URL, "allow-http": ALLOW_HTTP_ADDRESS };

const heading = "Connection options";

/** Options of commands that call a service. */
export const CONNECTION_OPTIONS = {
  org: { ...ORG, heading },
  region: text("REGION", "Region of the hosted service", { values: REGION_NAMES, variable, heading }),
  "base-url": { ...BASE_URL, heading },
  timeout: text("SECONDS", "Time limit for all requests together", { otherwise: "120", heading }),
  retries: text("N", "Retries after a failed attempt", { otherwise: "3", heading }),
  "auth-scheme": text("SCHEME", "Authorization scheme for the key", {
    values: ["bearer", "basic"],
    otherwise: "bearer",
    heading,
  }),
  "allow-http": { ...ALLOW_HTTP_ADDRESS, heading },
};

/** Options of commands that do what an action does, besides its inputs. */
export const ACTION_OPTIONS = {
  "dry-run": flag("Print what would be sent, without sending it"),
  output: output("table"),
  ...CONNECTION_OPTIONS,
};

/** Options of `verify` for decisions. */
export const REPLAY_OPTIONS = {
  replay: text("ID|FILE.tgz", "Decision, or its package, whose Rego policy to evaluate again"),
  "opa-path": text("PATH", "Path of opa for --replay", { otherwise: "opa on the PATH" }),
  ...CONNECTION_OPTIONS,
};
