import { CREDENTIALS, INTERRUPTED } from "../commands.ts";
import { CONNECTION_OPTIONS, EXPIRES, ORG, output, ROLE_NAMES, SCOPE } from "../options.ts";
import { type Definition, flag, text } from "../usage.ts";
import * as shared from "./options.ts";

const SERVICE = "Run a service";
const COPIES = "Copy and check its data";
const DAMAGED = `0 on success; 1 on failure, or if the copy lacks damaged attachments; ${INTERRUPTED}`;

const LOG_OPTIONS = {
  org: ORG,
  "secret-key-file": shared.SECRET_KEY_FILE,
  ...shared.LOCATION_OPTIONS,
};

/** Commands that run a service or work on its data. */
export const OPERATOR_COMMANDS = {
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
      role: text("ROLE", "Role of a new account", { values: ROLE_NAMES, otherwise: "reader" }),
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
  "orgs rotate-key": {
    group: SERVICE,
    summary: "Replace the key that signs the statements of an organization",
    args: ["NAME"],
    options: shared.RECORDS_OPTIONS,
    details:
      "Works while the service runs. The next statement creates the new key. The former key stays published.",
    examples: ["orgs rotate-key --data ./evidence acme"],
  },
  "controls packs": {
    group: SERVICE,
    summary: "List the control packs",
    args: [],
    options: {},
    examples: ["controls packs"],
  },
  "controls import": {
    group: SERVICE,
    summary: "Create the controls of a framework in an organization",
    args: ["PACK"],
    options: {
      "dry-run": flag("Print the changes without making them"),
      ...CONNECTION_OPTIONS,
    },
    details: `Repeat the command to update the texts after an upgrade. A control that a person wrote, changed or archived is kept and named. Needs the role admin. ${CREDENTIALS}`,
    examples: ["controls import osps --dry-run", "controls import osps@2026.02.19"],
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
    summary: "Compare records and files, or check an audit package or receipt",
    args: ["[FILE]"],
    options: {
      policy: text("FILE", "Keys of logs and witnesses that you trust, for an audit package or receipt FILE"),
      keys: text("FILE", "Keys of statements that you trust, as at /.well-known/evidence-keys.json"),
      checkpoint: text("FILE", "Checkpoint of the log that you or your witness kept, for a package FILE"),
      consistency: text("FILE", "Answer of getLogConsistency for the sizes of both checkpoints"),
      ...shared.BACKUP_OPTIONS,
      repair: flag("First make the search index equal to the records. Not with --from"),
    },
    statuses: `0 on success; 1 on failure, or if there is a difference; 2 if FILE cannot be decided; ${INTERRUPTED}`,
    examples: [
      "verify web-v1-audit-package.tgz --policy policy.txt",
      "verify web-v1-audit-package.tgz --policy policy.txt --checkpoint checkpoint --consistency consistency.json",
      "verify --data ./evidence",
      "verify --data ./evidence --repair",
      "verify --from ./backup",
    ],
  },
  adopt: {
    group: COPIES,
    summary: "Make this database the only one that removes unused attachments",
    args: [],
    options: shared.LOCATION_OPTIONS,
    details: "Needed after a copy of the database was served with the same location of attachments.",
    examples: ["adopt --data ./evidence --attachments s3://evidence-of-acme/attachments"],
  },
  "log fsck": {
    group: COPIES,
    summary: "Compare events, the evidence log and its checkpoints",
    args: [],
    options: shared.LOCATION_OPTIONS,
    details: "Works while the service runs.",
    statuses: "0 on success; 1 on failure, or if there is a difference",
    examples: ["log fsck --data ./evidence"],
  },
  "log continue": {
    group: COPIES,
    summary: "Sign again after a restore, from the latest checkpoint",
    args: [],
    options: {
      org: ORG,
      checkpoint: text("FILE", "The latest checkpoint of the log outside of these records", {
        required: true,
      }),
      ...shared.LOCATION_OPTIONS,
    },
    examples: ["log continue --data ./evidence --org acme --checkpoint checkpoint"],
  },
  "log replace": {
    group: COPIES,
    summary: "Begin a new log when the latest events are lost",
    args: [],
    options: {
      checkpoint: text(
        "FILE",
        "The latest checkpoint of the lost log, if the place for attachments has none",
      ),
      ...LOG_OPTIONS,
    },
    details:
      "The new log has another name and all events on record. Everybody who checks it needs its policy.",
    examples: ["log replace --data ./evidence --org acme"],
  },
  "log new-key": {
    group: COPIES,
    summary: "Add a key that signs checkpoints beside the others",
    args: [],
    options: LOG_OPTIONS,
    examples: ["log new-key --data ./evidence --org acme"],
  },
  "log retire-key": {
    group: COPIES,
    summary: "End the use of a key for checkpoints",
    args: ["ID"],
    options: { org: ORG, ...shared.LOCATION_OPTIONS },
    details: "ID is the 8 hex digits after the name in a line of the policy: name+ID+key.",
    examples: ["log retire-key 530d903a --data ./evidence --org acme"],
  },
} as const satisfies Record<string, Definition>;
