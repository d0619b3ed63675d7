import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { VERSION } from "../../api/version.ts";
import type { Log } from "../../service/kernel/log.ts";
import { shownAddress } from "../../service/store/postgres/address.ts";
import { stopSignal } from "../stop-signal.ts";
import {
  type Given,
  given,
  oneOf,
  optionOrVariable,
  portNumber,
  type Terminal,
  UsageError,
} from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";
import { loginProvidersFrom } from "./login-options.ts";
import { LOG_FORMATS } from "./options.ts";
import { locationFrom, refuseForeignFolder, withCopies } from "./record-location.ts";
import {
  exposureWarning,
  issuersFrom,
  limitsFrom,
  notificationsFrom,
  secretKeyWarning,
  wholeNumber,
} from "./serve-options.ts";
import { tracesFrom } from "./trace-options.ts";

export async function serve(
  { values }: Given<typeof OPERATOR_COMMANDS.serve>,
  terminal: Terminal,
): Promise<number> {
  const { environment, print } = terminal;
  const text = optionOrVariable(values, environment);
  const publicUrl = text("public-url");
  const host = text("host") ?? "127.0.0.1";
  const location = await locationFrom(values, environment);
  const where = { ...location, database: await withCopies(location.database, values, environment) };
  if (where.dataFolder !== undefined) await refuseForeignFolder(where.dataFolder);
  const metricsPort = text("metrics-port");
  const drainSeconds = text("drain-seconds") ?? "0";
  const drainMs = 1000 * wholeNumber(drainSeconds, "--drain-seconds", 0);
  const settings = {
    ...where,
    port: portNumber(text("port") ?? "8800", "--port"),
    host,
    org: text("org"),
    adminKey: given(environment, "EVIDENCE_ADMIN_KEY"),
    publicUrl: publicUrl === undefined ? undefined : webAddress(publicUrl),
    metrics:
      metricsPort === undefined
        ? undefined
        : { host: text("metrics-host") ?? host, port: portNumber(metricsPort, "--metrics-port") },
    publicOrgs: (text("public-read") ?? "").split(",").flatMap((name) => name.trim() || []),
    // The main thread answers all small requests.
    workers: wholeNumber(text("workers") ?? String(defaultWorkers()), "--workers", 1) - 1,
    limits: limitsFrom(values, environment),
    ...(await notificationsFrom(values, environment)),
    ...(await issuersFrom(values, environment)),
    loginProviders: await loginProvidersFrom(text("oidc-login"), environment),
    operators: text("operators"),
    ssoOrgs: (text("require-sso") ?? "").split(",").flatMap((name) => name.trim() || []),
    traces: tracesFrom(environment),
    opa: text("opa"),
    version: VERSION,
  };
  // The gate keeps working if the log's disk is full or its collector restarts.
  const lostLogLines = terminal.tolerateLostLines();
  const log = await openLog(logFormat(values.log, terminal), terminal);
  const exposed = exposureWarning(host, publicUrl);
  if (exposed !== undefined) log({ level: "warn", message: exposed });
  const isOnServer = where.database !== undefined;
  const ofKey = await secretKeyWarning(values, environment, { isOnServer });
  // Records and keys are for the service's owner only, whatever the shell's umask.
  process.umask(0o077);
  const { startService } = await import("../../service/service.ts");
  const service = await startService({ ...settings, log, lostLogLines });
  // A start that fails has one line, its error.
  if (ofKey !== undefined) log({ level: "warn", message: ofKey });
  const { address, metricsAddress, firstKey, drain, close } = service;
  const recordsAt = where.database === undefined ? where.dataFolder : shownAddress(where.database);
  // A program that reads the next line may stop the service.
  const stopping = stopSignal();
  print(`delivery-evidence ${VERSION} listens on ${address} and keeps its records in ${recordsAt}`);
  if (firstKey !== undefined) {
    print(`Admin API key, shown only now: ${firstKey}`);
    const { DEFAULT_ORGANIZATION } = await import("../../service/people/accounts/provisioning.ts");
    const org = settings.org ?? DEFAULT_ORGANIZATION;
    print(
      `Open ${publicUrl ?? address} in a browser and sign in to the organization '${org}' with this key.`,
    );
  }
  log({ level: "info", message: `Version ${VERSION} listens on ${address}` });
  if (metricsAddress !== undefined) {
    log({ level: "info", message: `The metrics are at ${metricsAddress}/metrics` });
  }
  const status = await stopping;
  drain();
  const first = drainMs === 0 ? "" : `continues for ${drainSeconds} s, then `;
  log({ level: "info", message: `The service ${first}stops after the requests in progress` });
  await delay(drainMs);
  await close();
  log({ level: "info", message: "The service has stopped" });
  return status;
}

const MOST_WORKERS = 4;

/** One per core, up to what a service can use. */
function defaultWorkers(): number {
  return Math.min(availableParallelism(), MOST_WORKERS);
}

function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new UsageError(
      `--public-url must be a web address such as https://evidence.example.org, got '${text}'`,
    );
  }
  return text;
}

type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * `--log` or `EVIDENCE_LOG`, else text on a terminal and JSON lines elsewhere.
 *
 * @throws {UsageError}
 */
export function logFormat(
  option: string | undefined,
  { environment, interactive }: Pick<Terminal, "environment" | "interactive">,
): LogFormat {
  const text = option ?? given(environment, "EVIDENCE_LOG") ?? (interactive ? "text" : "json");
  return oneOf(text, LOG_FORMATS, "--log");
}

async function openLog(format: LogFormat, { note }: Pick<Terminal, "note">): Promise<Log> {
  if (format === "json") return (await import("../../service/ops/json-log.ts")).jsonLog(note);
  const { textLog } = await import("../../service/ops/text-log.ts");
  return textLog((line) => note(`${new Date().toISOString()} ${line}`));
}
