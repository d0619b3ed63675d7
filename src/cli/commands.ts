import * as shared from "./options.ts";
import { type Definition, flag, list, text } from "./usage.ts";
import { WATCH } from "./watch-options.ts";

const SERVICE = "Run a service";
const COPIES = "Copy and check its data";
const CLIENT = "Use a service";
const PROGRAM = "Help";

/** Formats of output. */
export const OUTPUTS = ["table", "json"] as const;
const output = (otherwise: (typeof OUTPUTS)[number]) =>
  text("FORMAT", "Format of the output", { values: OUTPUTS, otherwise });
const EXPIRES = text("DATE", "Expiry, such as 2027-01-31 or 2027-01-31T12:00:00Z", { otherwise: "never" });

const SCOPE = {
  flow: list("FLOW", "Flow to limit access to"),
  environment: list("ENVIRONMENT", "Environment to limit access to"),
};

const CREDENTIALS = `Set EVIDENCE_API_KEY to your API key, or sign in with "delivery-evidence login". A job of GitHub Actions with the permission id-token: write needs no key if --base-url names a service that trusts the workflow. EVIDENCE_AUTH=key or oidc selects one method, EVIDENCE_TRUST_POLICY one of several matching trust policies.`;
const INTERRUPTED = "130 after an interrupt";
const DAMAGED = `0 on success; 1 on failure, or if the copy lacks damaged attachments; ${INTERRUPTED}`;

/** All commands. Parsing, help, completion and the documentation use this table. */
export const COMMANDS = {
  serve: {
    group: SERVICE,
    summary: "Start the service",
    args: [],
    options: {
      ...shared.LOCATION_OPTIONS,
      "database-migrate": { ...shared.LOCATION_OPTIONS["database-migrate"], otherwise: "auto" },
      ...shared.SERVE_OPTIONS,
    },
    details:
      "The first start creates an admin key and prints it once, or uses the one in EVIDENCE_ADMIN_KEY. EVIDENCE_SECRET_KEY can contain the secret key itself, instead of --secret-key-file.",
    statuses: "0 after SIGTERM; 1 on failure; 130 after SIGINT",
    examples: [
      "serve --data ./evidence",
      "serve --database-url postgres://evidence@db/evidence --attachments s3://evidence-of-acme/attachments",
    ],
  },
  "keys create": {
    group: SERVICE,
    summary: "Create an API key and print it once",
    args: [],
    options: {
      account: text("NAME", "Service account; created if it does not exist", { required: true }),
      role: text("ROLE", "Role of a new account", { values: shared.ROLE_NAMES, otherwise: "reader" }),
      expires: EXPIRES,
      description: text("TEXT", "Description"),
      ...SCOPE,
      "may-rotate-itself": flag("Let the key replace itself, whatever its role"),
      ...shared.KEYS_OPTIONS,
    },
    examples: ["keys create --data ./evidence --account ci --role member --expires 2027-01-31"],
  },
  "keys list": {
    group: SERVICE,
    summary: "List the keys that are not revoked",
    args: [],
    options: { output: output("table"), ...shared.KEYS_OPTIONS },
    examples: ["keys list --data ./evidence", "keys list --data ./evidence --org acme --output json"],
  },
  "keys revoke": {
    group: SERVICE,
    summary: "Revoke a key",
    args: ["ID"],
    options: shared.KEYS_OPTIONS,
    examples: ["keys revoke --data ./evidence KEY_ID"],
  },
  "orgs create": {
    group: SERVICE,
    summary: "Create an organization with an admin account and print its key once",
    args: ["NAME"],
    options: shared.RECORDS_OPTIONS,
    details:
      "Works while the service runs. If EVIDENCE_ADMIN_KEY is set, it becomes the key of the account and is not printed.",
    examples: ["orgs create --data ./evidence acme"],
  },
  "orgs list": {
    group: SERVICE,
    summary: "List the organizations",
    args: [],
    options: { output: output("table"), ...shared.RECORDS_OPTIONS },
    examples: ["orgs list --data ./evidence"],
  },
  backup: {
    group: COPIES,
    summary: "Back up records and attachments, also while the service runs",
    args: [],
    options: {
      to: text("PLACE", "An empty folder, or s3://bucket/prefix beside earlier backups", { required: true }),
      ...shared.LOCATION_OPTIONS,
    },
    statuses: DAMAGED,
    examples: ["backup --data ./evidence --to ./backup"],
  },
  restore: {
    group: COPIES,
    summary: "Restore a backup to an empty place",
    args: [],
    options: { ...shared.BACKUP_OPTIONS, from: { ...shared.BACKUP_OPTIONS.from, required: true } },
    statuses: DAMAGED,
    examples: ["restore --from ./backup --data ./evidence"],
  },
  move: {
    group: COPIES,
    summary: "Copy everything of a stopped service to an empty place",
    args: [],
    options: shared.MOVE_OPTIONS,
    statuses: DAMAGED,
    examples: [
      "move --from ./evidence --to postgres://evidence@db:5432/evidence --attachments ./attachments",
    ],
  },
  verify: {
    group: COPIES,
    summary: "Compare records and attachments, and print differences",
    args: [],
    options: {
      ...shared.BACKUP_OPTIONS,
      repair: flag("First make the search index equal to the records. Not with --from"),
    },
    statuses: `0 on success; 1 on failure, or if there is a difference; ${INTERRUPTED}`,
    examples: ["verify --data ./evidence", "verify --data ./evidence --repair", "verify --from ./backup"],
  },
  adopt: {
    group: COPIES,
    summary: "Make this database the only one that removes unused attachments",
    args: [],
    options: shared.LOCATION_OPTIONS,
    details: "Needed after a copy of the database was served with the same location of attachments.",
    examples: ["adopt --data ./evidence --attachments s3://evidence-of-acme/attachments"],
  },
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
        values: OUTPUTS,
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
  "trust github": {
    group: CLIENT,
    summary: "Let workflows of a GitHub repository report without a key",
    args: ["OWNER/REPO"],
    options: {
      ...SCOPE,
      role: text("ROLE", "Role of the workflows", {
        values: shared.WORKFLOW_ROLE_NAMES,
        otherwise: "member",
      }),
      ref: list("REF", "Git ref: refs/heads/main, refs/tags/v*", { otherwise: "any" }),
      event: list("EVENT", "Event, such as push; pull_request only matches if it is named"),
      "github-environment": list("NAME", "GitHub environment of the job"),
      workflow: list("WORKFLOW", "Reusable workflow: OWNER/REPO/.github/workflows/FILE@REF"),
      claim: list("NAME=VALUE", "Any other claim of the token"),
      "repository-id": text("ID", "ID of the repository", { otherwise: "set at first use, within 24 hours" }),
      "owner-id": text("ID", "ID of the owner", { otherwise: "set at first use, within 24 hours" }),
      name: text("NAME", "Name of the trust policy", { otherwise: "made from the repository" }),
      description: text("TEXT", "Description"),
      expires: EXPIRES,
      issuer: text("URL", "Issuer of the tokens", { otherwise: "GitHub.com" }),
      ...shared.CONNECTION_OPTIONS,
    },
    details: `OWNER/* trusts all repositories of an owner. Give --flow, --environment, or both. The operation explainTrust shows why a token does not match. ${CREDENTIALS}`,
    examples: [
      "trust github acme/web --flow web --environment production",
      "trust github 'acme/*' --flow web --ref refs/heads/main --role attester",
    ],
  },
  "trust kubernetes": {
    group: CLIENT,
    summary: "Let a Kubernetes service account report without a key",
    args: ["NAMESPACE/SERVICE-ACCOUNT"],
    options: {
      ...SCOPE,
      issuer: text("URL", "Issuer of the cluster's tokens", { required: true }),
      jwks: text("FILE", "Keys of the issuer, if the service cannot reach it", {
        otherwise: "read from the issuer",
      }),
      role: text("ROLE", "Role of the service account", {
        values: shared.WORKFLOW_ROLE_NAMES,
        otherwise: "snapshotter",
      }),
      claim: list("NAME=VALUE", "Any other claim of the token"),
      uid: text("UID", "UID of the service account", { otherwise: "set at first use, within 24 hours" }),
      name: text("NAME", "Name of the trust policy", { otherwise: "made from the service account" }),
      description: text("TEXT", "Description"),
      expires: EXPIRES,
      ...shared.CONNECTION_OPTIONS,
    },
    details: `"kubectl get --raw /.well-known/openid-configuration" prints the issuer, and "kubectl get --raw /openid/v1/jwks" its keys. Give --environment, --flow, or both. ${CREDENTIALS}`,
    examples: [
      "trust kubernetes evidence/reporter --issuer https://oidc.example.com/id/1 --environment production",
    ],
  },
  watch: WATCH,
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
  report: {
    group: CLIENT,
    summary: "Report what runs in an environment",
    args: [],
    options: {
      ...shared.REPORT_OPTIONS,
      "dry-run": flag("Print what would be sent, without sending it"),
      output: output("table"),
      ...shared.CONNECTION_OPTIONS,
    },
    details: `Does what the action report-env does, for schedulers other than GitHub. Words go to the standard error, the outcome to the standard output. ${CREDENTIALS}`,
    statuses: `0 on success; 1 on failure, or if the service refuses the report; 2 if the service or the cloud is unavailable; ${INTERRUPTED}`,
    examples: [
      "report --environment production --type server --paths /srv/app",
      "report --environment functions --type lambda --aws-region eu-central-1 --include-regex '^shop-'",
      "report --config environments.yml --output json",
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
  help: {
    group: PROGRAM,
    summary: "Print the options and examples of a command or operation",
    args: ["[COMMAND…]"],
    options: {},
    examples: ["help share", "help call listFlows"],
  },
  completion: {
    group: PROGRAM,
    summary: "Print a script that completes commands and options in a shell",
    args: ["bash", "zsh", "fish"],
    options: {},
    details:
      'bash: eval "$(delivery-evidence completion bash)" in ~/.bashrc. zsh: eval "$(delivery-evidence completion zsh)" in ~/.zshrc, after compinit. fish: delivery-evidence completion fish | source in ~/.config/fish/config.fish.',
    examples: ["completion bash"],
  },
} as const satisfies Record<string, Definition>;

export type CommandName = keyof typeof COMMANDS;

/** Names in the order of help. */
export const NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** The command that a command line begins with: `keys create` of `keys create --account ci`. */
export function commandOf(words: readonly string[]): CommandName | undefined {
  return NAMES.find((name) => name === words.slice(0, name.split(" ").length).join(" "));
}

/** Commands whose name begins with a word: `keys create` and so on for `keys`. */
export function commandsOf(group: string): CommandName[] {
  return NAMES.filter((name) => name.startsWith(`${group} `));
}
