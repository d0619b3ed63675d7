import { MIGRATE } from "../../service/store/postgres/migrate-modes.ts";
import { ORG } from "../options.ts";
import { flag, list, text, type ValuesOf } from "../usage.ts";

export const LOG_FORMATS = ["text", "json"] as const;

const variable = true;

/** Options of commands that read the records beside the service. */
export const RECORDS_OPTIONS = {
  data: text("DIR", "Folder of the records", { variable }),
  "database-url": text("URL", "Records in PostgreSQL instead: postgres://user@host/name", { variable }),
  "database-url-file": text("FILE", "File with the address of the database", { variable }),
  "database-password-file": text("FILE", "File with the password of the database", { variable }),
  "database-pool": text("N", "Connections for queries, 1 to 999", { otherwise: "10", variable }),
  "database-migrate": text("MODE", "Upgrade older tables, refuse to start on them, or leave them", {
    values: MIGRATE,
    variable,
  }),
};

export type RecordsOptions = ValuesOf<typeof RECORDS_OPTIONS>;

export const KEYS_OPTIONS = { ...RECORDS_OPTIONS, org: ORG };

const ATTACHMENTS = "a folder or s3://bucket/prefix";
const ALLOW_HTTP = flag("Allow an http:// endpoint of a bucket");

export const LOCATION_OPTIONS = {
  ...RECORDS_OPTIONS,
  attachments: text("PLACE", `Location of attachments: ${ATTACHMENTS}`, {
    otherwise: "files in the data folder",
    variable,
  }),
  "allow-http": ALLOW_HTTP,
};

export const SECRET_KEY_FILE = text("FILE", "Key that encrypts secrets: 32 bytes as base64 or hex", {
  otherwise: "a file in the data folder; none with PostgreSQL",
  variable,
});

/** Options of commands that read a backup. */
export const BACKUP_OPTIONS = {
  from: text("PLACE", `Backup: ${ATTACHMENTS}`),
  at: text("NAME", "Name of the backup in the bucket", { otherwise: "the latest" }),
  ...LOCATION_OPTIONS,
};

export const MOVE_OPTIONS = {
  from: text("PLACE", "Data folder or postgres://user@host:5432/name to copy", { required: true }),
  to: text("PLACE", "Empty place to copy to, such as another data folder or database", { required: true }),
  "attachments-from": text("PLACE", `Current location of attachments: ${ATTACHMENTS}`, {
    otherwise: "files in the data folder",
  }),
  attachments: text("PLACE", `New location of attachments: ${ATTACHMENTS}`, {
    otherwise: "files in the data folder",
  }),
  "database-password-file": text("FILE", "File with the password of the database", { variable }),
  "allow-http": ALLOW_HTTP,
};

/** The options of `serve` besides those of other commands on the records. */
export const SERVE_OPTIONS = {
  "database-read-url": text("URL", "Read-only copies of the database, which answer lists and pages", {
    variable,
  }),
  "database-read-url-file": text("FILE", "File with the address of the copies", { variable }),
  port: text("PORT", "Port to listen on", { otherwise: "8800", variable }),
  host: text("HOST", "Address to listen on", { otherwise: "127.0.0.1", variable }),
  org: text("NAME", "Organization to create if it does not exist", {
    otherwise: "default, if there is no organization",
    variable,
  }),
  workers: text("N", "Threads that answer requests", { otherwise: "one per core, at most 4", variable }),
  "public-url": text("URL", "Address of the service for its users", { variable }),
  "public-read": text("A,B", "Organizations whose pages are public", { variable }),
  "key-rate": text("N", "Requests a minute with one key; 0 for no limit", { otherwise: "60000", variable }),
  "address-rate": text("N", "Requests a minute from one address", { otherwise: "120000", variable }),
  "failed-login-rate": text("N", "Requests a minute with an invalid key from one address", {
    otherwise: "600",
    variable,
  }),
  "trusted-proxies": text("A,B", "Proxies whose X-Forwarded-For or Forwarded is used", { variable }),
  "metrics-port": text("PORT", "Port of /metrics", {
    otherwise: "the port of the service, for this machine only",
    variable,
  }),
  "metrics-host": text("HOST", "Address of /metrics", { otherwise: "the value of --host", variable }),
  opa: text("PATH", "Program opa, which evaluates Rego policies", {
    otherwise: "policies are not evaluated",
    variable,
  }),
  "drain-seconds": text("N", "Seconds to serve after /ready fails, before the service stops", {
    otherwise: "0",
    variable,
  }),
  log: text("FORMAT", "Format of the log", {
    values: LOG_FORMATS,
    otherwise: "text on a terminal, else json",
    variable,
  }),
  "body-memory": text("MB", "Memory for request bodies", { otherwise: "256", variable }),
  "body-disk": text("MB", "Disk space for request bodies, at least 512", { otherwise: "1024", variable }),
  "allow-targets": text("A,B", "Private networks and addresses that notifications may reach", { variable }),
  "allow-http-targets": flag("Allow notifications to http:// addresses", { variable }),
  "github-hosts": text("A,B", "GitHub Enterprise Servers that may receive tokens of rules", { variable }),
  "max-rules": text("N", "Notification rules of one organization; 0 for no limit", {
    otherwise: "200",
    variable,
  }),
  "mail-rate": text("N", "Emails an hour for one organization; 0 for no limit", {
    otherwise: "1000",
    variable,
  }),
  "smtp-url": text("URL", "Mail server: smtps://user:password@mail.example.com", { variable }),
  "smtp-url-file": text("FILE", "File with the address of the mail server", { variable }),
  "mail-from": text("ADDRESS", "Sender of emails", { variable }),
  "oidc-issuer": list("URL", "Issuer of the tokens that prove a workflow's identity", {
    otherwise: "GitHub.com",
    variable,
  }),
  "oidc-keys": list("URL=FILE", "File with the keys of an issuer that cannot be reached", { variable }),
  "oidc-login": text("FILE", "File with the providers that sign people in", { variable }),
  operators: text("ORG", "Organization whose admins add login providers for all organizations", { variable }),
  "require-sso": text("A,B", "Organizations whose people sign in with a provider, not with a key", {
    variable,
  }),
  "secret-key-file": SECRET_KEY_FILE,
};
