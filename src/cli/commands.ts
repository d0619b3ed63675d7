import * as shared from "./options.ts";
import { trustCommands } from "./trust-commands.ts";
import { type Definition, flag, list, text } from "./usage.ts";

const CLIENT = "Use a service";

export const CREDENTIALS = `Set EVIDENCE_API_KEY to your API key, or sign in with "delivery-evidence login". A job of GitHub Actions, GitLab, Azure Pipelines, CircleCI, Buildkite or Bitbucket needs no key if --base-url names a service that trusts it. EVIDENCE_AUTH=key or oidc selects one method, EVIDENCE_TRUST_POLICY one of several matching trust policies.`;
export const INTERRUPTED = "130 after an interrupt";

/** Commands that use a service and are no action. Parsing, help, completion and the documentation read this table. */
export const COMMANDS = {
  login: {
    group: CLIENT,
    summary: "Sign in to a service as yourself, in a browser",
    args: [],
    options: {
      org: text("NAME", "Organization of commands that name none", {
        otherwise: "yours, if you have only one",
        variable: true,
      }),
      ...shared.LOGIN_OPTIONS,
    },
    details:
      "Prints the address of a page and a code, and waits until you approve the code there. The browser may be on another machine. You stay signed in for 8 hours. The login is stored in XDG_CONFIG_HOME or ~/.config, in %APPDATA% on Windows, for you only. Commands use it if there is no API key.",
    examples: ["login --base-url https://evidence.example.com"],
  },
  logout: {
    group: CLIENT,
    summary: "Sign out, and end the session at the service",
    args: [],
    options: shared.LOGIN_OPTIONS,
    examples: ["logout", "logout --base-url https://evidence.example.com"],
  },
  whoami: {
    group: CLIENT,
    summary: "Print who you are for the service, and your roles",
    args: [],
    options: shared.CONNECTION_OPTIONS,
    details: CREDENTIALS,
    examples: ["whoami"],
  },
  call: {
    group: CLIENT,
    summary: "Call an operation of the service",
    args: ["OPERATION [NAME=VALUE…]", "--list"],
    options: {
      list: flag("List the operations"),
      body: text("FILE", "Request body as JSON or YAML; - reads the standard input"),
      output: text("FORMAT", "Format of the output", {
        values: shared.OUTPUTS,
        otherwise: "json; table with --list",
      }),
      "output-file": text("FILE", "File to write, if the operation returns a file"),
      ...shared.CONNECTION_OPTIONS,
    },
    details: `NAME=VALUE is a parameter of the path or query, or the path of a file to send. "delivery-evidence help call OPERATION" describes the parameters and the body of an operation. ${CREDENTIALS}`,
    statuses: `0 on success; 1 on failure, or if the service refuses the request; ${INTERRUPTED}`,
    examples: [
      "call listRepos provider=github --output table",
      "call attestGeneric flow_name=web trail_name=v1 attachment_file=unit.xml --body body.yml",
      "call getTrailAuditPackage flow_name=web trail_name=v1 --output-file v1.tar.gz",
    ],
  },
  ...trustCommands(CLIENT, CREDENTIALS),
  share: {
    group: CLIENT,
    summary: "Print a link that shows one page to people without an account",
    args: ["trail FLOW TRAIL", "artifact FLOW FINGERPRINT", "environment ENVIRONMENT", "badge FLOW"],
    options: {
      until: text("DATE", "Expiry, such as 2027-01-31", { otherwise: "in 30 days" }),
      for: text("TEXT", "Purpose of the link"),
      ...shared.CONNECTION_OPTIONS,
    },
    details: `The operation revokeShareLink revokes a link. ${CREDENTIALS}`,
    examples: ["share trail web v1.2 --for 'audit 2026' --until 2027-01-31", "share badge web"],
  },
  verify: {
    group: CLIENT,
    summary: "Evaluate the policy of a decision again, and compare the results",
    args: [],
    options: { ...shared.REPLAY_OPTIONS, replay: { ...shared.REPLAY_OPTIONS.replay, required: true } },
    details: `Downloads the evaluation.tgz of the decision, checks the digests of its files, and runs opa. A file is checked against the record that it contains, and needs no service. ${CREDENTIALS}`,
    statuses: `0 if the result is the same; 1 if it differs, if a file was changed, or on failure; 2 if the result is unknown, for example without opa; ${INTERRUPTED}`,
    examples: [
      "verify --replay 330729b4-e1a4-4d33-ac8f-55a4651f",
      "verify --replay evaluation.tgz --opa-path ./opa",
    ],
  },
  replay: {
    group: CLIENT,
    summary: "Upload evidence that was saved while the service was down",
    args: ["DIR"],
    options: {
      "from-github": text("OWNER/REPO", "First download to DIR what workflows of this repository saved"),
      branch: list("NAME", "Only runs for commits of this branch", { otherwise: "all" }),
      "max-age-days": text("N", "Only artifacts of the last N days, 1 to 400", { otherwise: "90" }),
      ...shared.CONNECTION_OPTIONS,
    },
    details: `Sends each record once, in order, and marks it in DIR, so you can repeat the command. DIR may contain several workflow artifacts. --from-github needs GITHUB_TOKEN and skips artifacts from forks. The default organization is that of the records. ${CREDENTIALS}`,
    statuses: `0 on success; 1 on failure, or if a record was not uploaded; ${INTERRUPTED}`,
    examples: ["replay spool", "replay spool --from-github acme/web --branch main"],
  },
} as const satisfies Record<string, Definition>;
