import { isEvidenceError } from "../api/client/errors.ts";
import { VERSION } from "../api/version.ts";
import { ROLES } from "../service/kernel/caller.ts";
import { type Terminal, UsageError } from "./usage.ts";

/** Returns the exit status. Errors are explained on the standard error. */
export async function run(args: readonly string[], raw: Terminal): Promise<number> {
  const terminal: Terminal = {
    environment: raw.environment,
    get interactive() {
      return raw.interactive;
    },
    write: (bytes) => raw.write(bytes),
    readInput: () => raw.readInput(),
    tolerateLostLines: () => raw.tolerateLostLines(),
    print: (line) => raw.print(printable(line)),
    note: (line) => raw.note(printable(line)),
    show: (line) => raw.show(printable(line)),
  };
  try {
    return await main(args, terminal);
  } catch (error) {
    for (const line of explain(error)) terminal.note(line);
    return 1;
  }
}

/** Control characters except tabs and line breaks, and marks that change the text's direction. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes what a terminal would obey, as JSON does, so that printed JSON stays the same. */
function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function explain(error: unknown): string[] {
  const reason = `delivery-evidence: ${error instanceof Error ? error.message : String(error)}`;
  if (isEvidenceError(error))
    return [reason, ...[...error.details, error.advice].filter(Boolean).map(indent)];
  const expected = error instanceof UsageError || !(error instanceof Error) || error.cause === undefined;
  return expected ? [reason] : [reason, indent(`because: ${error.cause}`)];
}

function indent(line: string): string {
  return `  ${line}`;
}

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/**
 * Commands load on demand, and load service or client only after checking arguments, so help and errors come at once.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  keys: async () => (await import("./accounts.ts")).keys,
  orgs: async () => (await import("./accounts.ts")).orgs,
  backup: async () => (await import("./copies.ts")).backup,
  restore: async () => (await import("./copies.ts")).restore,
  move: async () => (await import("./copies.ts")).move,
  verify: async () => (await import("./copies.ts")).verify,
  adopt: async () => (await import("./copies.ts")).adopt,
  call: async () => (await import("./call.ts")).callCommand,
  trust: async () => (await import("./trust.ts")).trust,
  share: async () => (await import("./share.ts")).share,
  replay: async () => (await import("./replay.ts")).replayCommand,
};

const HELP = `Usage: delivery-evidence <command> [options]

  serve                 Start the service
    --port PORT           default 8800                    EVIDENCE_PORT
    --host HOST           default 127.0.0.1               EVIDENCE_HOST
    --data DIR            where everything is kept        EVIDENCE_DATA
    --database-url URL    records in PostgreSQL instead: postgres://user@host/name
    --database-url-file FILE, --database-password-file FILE
                          the address, or the password alone, from a file
    --database-pool N     connections for queries, default 10
    --database-migrate auto|check|off
                          bring older tables up to date (default), refuse to start
                          on them, or start on them as they are
    --attachments PLACE   where attachments are kept      EVIDENCE_ATTACHMENTS
                          a folder or s3://bucket/prefix; default files in DIR
    --allow-http          the endpoint of a bucket may be without TLS
    --org NAME            the organization to have        EVIDENCE_ORG
    --workers N           threads that answer requests, default one a core, at most 4
    --public-url URL      where it is reached from outside  EVIDENCE_PUBLIC_URL
    --public-read A,B     organizations whose pages everybody may read, without signing in
    --key-rate N          requests a minute with one key, default 60000; 0: no limit
    --address-rate N      … from one address, default 120000
    --failed-login-rate N … whose key is refused, default 600
    --trusted-proxies A,B addresses and networks whose X-Forwarded-For or Forwarded
                          is believed
    --metrics-port PORT   where /metrics is; without it the port above tells them,
                          to this machine alone
    --metrics-host HOST   default: as --host
    --drain-seconds N     how long /ready says no before it stops, default 0
    --log text|json       how its log is written: as text on a terminal, else as JSON
    --body-memory MB      for bodies being received, default 256
    --body-disk MB        … on the disk, default 1024, at least 512
    --allow-targets A,B   networks and addresses that notifications may reach, beside
                          public ones
    --allow-http-targets  they may go without TLS
    --github-hosts A,B    GitHub Enterprise Servers that tokens of rules may be sent to,
                          beside api.github.com
    --max-rules N         notification rules of one organization, default 200; 0: no limit
    --mail-rate N         mails an hour for one organization, default 1000; 0: no limit
    --smtp-url URL        sends mail: smtps://user:password@mail.example.com
    --smtp-url-file FILE  … the address from a file
    --mail-from ADDRESS   the sender of mails
    --oidc-issuer URL     whose tokens prove who a workflow is; default GitHub.com;
                          may be given again
    --oidc-keys URL=FILE  the keys of an issuer that cannot be asked for them
    --secret-key-file FILE
                          what secrets of notifications are kept with: 32 bytes as
                          base64 or hex                   EVIDENCE_SECRET_KEY
                          These too can be variables: EVIDENCE_KEY_RATE …
                          The first start makes an admin key and prints it once,
                          or takes it from EVIDENCE_ADMIN_KEY.

  keys create           Make an API key and print it once
    --account NAME        the service account, made when it is new
    --role ROLE           of a new account: ${ROLES.join(", ")} (default reader)
    --expires DATE        such as 2027-01-31 or 2027-01-31T12:00:00Z
    --description TEXT
    --flow FLOW, --environment ENVIRONMENT
                          what the key is for; all unless given; each may be given again
    --may-rotate-itself   let the key replace itself, whatever else it may do
  keys list             List the keys that are not revoked
  keys revoke ID        Revoke a key for good
    --data DIR, --database-url URL, --org NAME as for serve

  orgs create NAME      Make an organization with an admin account; print its key once,
                        unless it is taken from EVIDENCE_ADMIN_KEY
  orgs list             List the organizations
    --data DIR, --database-url URL as for serve; also while the service runs

  backup --to PLACE     Copy everything, also while the service runs
    --to PLACE            an empty folder, or s3://bucket/prefix beside earlier backups
    --data DIR, --database-url URL, --attachments PLACE, … as for serve
  restore --from PLACE  Bring a backup to an empty place, to be served there
    --at NAME             of the backups in a bucket; default the latest
    --data DIR, --database-url URL, --attachments PLACE, … as for serve
  move --from A --to B  Copy everything of a service that is stopped to an empty place
    --from A, --to B      a data folder or postgres://user@host:5432/name
    --attachments-from PLACE, --attachments PLACE
                          where attachments are, and are to be; default files in the folder
    --database-password-file FILE
  verify                Compare records and attachments with each other; print differences
    --data DIR, --database-url URL, --attachments PLACE, … as for serve
    --from PLACE, --at NAME
                          a backup in place of them
  adopt                 Let these records alone remove unused attachments from their place,
                        after a copy of the database was served with the same place
    --data DIR, --database-url URL, --attachments PLACE, … as for serve

  call OPERATION [NAME=VALUE …]
                        Call one operation of a service and print its answer as JSON
    NAME=VALUE            a parameter of its path or query; for a part that takes files, a path
    --body FILE           its body, as JSON or YAML; - reads it from the standard input
    --output FILE         where to write a file that it answers with
    --org NAME            the organization                EVIDENCE_ORG
    --region eu|us        where the hosted service is     EVIDENCE_REGION
    --base-url URL        another service                 EVIDENCE_BASE_URL
    --timeout SECONDS, --retries N, --auth-scheme bearer|basic, --allow-http
                          The key is read from EVIDENCE_API_KEY. A job of GitHub with
                          id-token: write needs none where --base-url names a service
                          that trusts its workflow. EVIDENCE_AUTH=key or oidc takes one
                          way alone, EVIDENCE_TRUST_POLICY one of several policies.
  call --list           List the operations

  trust github OWNER/REPO
                        Let workflows of a repository report without a key: they prove who
                        they are. OWNER/* is every repository of an owner.
    --flow FLOW, --environment ENVIRONMENT
                          what it is for; each may be given again
    --role ROLE           member (default), attester, approver, snapshotter, auditor, reader
    --ref REF             refs/heads/main, refs/tags/v*; any unless given
    --event EVENT         push, release; pull_request only when it is named
    --github-environment NAME, --workflow OWNER/REPO/.github/workflows/FILE@REF
                          the job's environment; the reusable workflow that the job is from
    --claim NAME=VALUE    any other claim of the token
    --repository-id ID, --owner-id ID
                          GitHub's ids; without them the first use within a day keeps them
    --name NAME, --description TEXT, --expires DATE, --issuer URL
    --org NAME, --region, --base-url, --timeout, --retries, --auth-scheme, --allow-http
                          as for call. explainTrust says why a token does not fit.

  share trail FLOW TRAIL
  share artifact FLOW FINGERPRINT
  share environment ENVIRONMENT
  share badge FLOW      Print a link that shows this one thing to who has no account
    --until DATE          when it ends, such as 2027-01-31; default in 30 days
    --for TEXT            what it is for
    --org NAME, --region, --base-url, --timeout, --retries, --auth-scheme, --allow-http
                          as for call. The operation revokeShareLink ends it before.

  replay DIR            Record what was spooled in DIR while the service was down
                        In order, each once, however often it is run; what is on record
                        is marked in DIR. Workflow artifacts may lie side by side in it.
    --from-github OWNER/REPO
                          first download to DIR what workflows of this repository spooled,
                          without what forks uploaded; needs GITHUB_TOKEN
    --branch NAME         only runs for commits of this branch; may be given again
    --max-age-days N      only artifacts of the last N days (1 to 400, default 90)
    --org NAME, --region, --base-url, --timeout, --retries, --auth-scheme, --allow-http
                          as for call; the organization is that of the submissions unless given.

  --help, --version
`;

/** @throws {UsageError} for an invalid command line */
async function main([command, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (command === "help" || command === "--help" || args.includes("--help")) {
    terminal.print(HELP);
    return 0;
  }
  if (command === "--version") {
    terminal.print(VERSION);
    return 0;
  }
  if (command === undefined) {
    const names = Object.keys(COMMANDS);
    const all = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
    throw new UsageError(`Say what to do: ${all} (--help shows how)`);
  }
  const load = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!load) throw new UsageError(`Unknown command '${command}' (--help shows what there is)`);
  return (await load())(args, terminal);
}
