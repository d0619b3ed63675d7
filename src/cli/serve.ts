import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { VERSION } from "../api/version.ts";
import { shownAddress } from "../service/store/postgres/address.ts";
import { exposureWarning } from "./exposure.ts";
import { IDENTITY_OPTIONS, issuersFrom } from "./identity-options.ts";
import { LIMIT_OPTIONS, limitsFrom, wholeNumber } from "./limit-options.ts";
import { logFormat, openLog } from "./log-format.ts";
import { NOTIFICATION_OPTIONS, notificationsFrom, secretKeyWarning } from "./notification-options.ts";
import { given, parse, type Terminal, UsageError } from "./usage.ts";
import { WHEREABOUTS_OPTIONS, whereaboutsFrom } from "./whereabouts.ts";

/** Starts the service and keeps it up until the process is told to stop. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const options = {
    ...WHEREABOUTS_OPTIONS,
    org: { type: "string" },
    port: { type: "string" },
    host: { type: "string" },
    "public-url": { type: "string" },
    "public-read": { type: "string" },
    log: { type: "string" },
    "metrics-port": { type: "string" },
    "metrics-host": { type: "string" },
    "drain-seconds": { type: "string" },
    workers: { type: "string" },
    ...LIMIT_OPTIONS,
    ...NOTIFICATION_OPTIONS,
    ...IDENTITY_OPTIONS,
  } as const;
  const { values } = parse(args, options);
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const publicUrl = values["public-url"] ?? given(environment, "EVIDENCE_PUBLIC_URL");
  const publicRead = values["public-read"] ?? given(environment, "EVIDENCE_PUBLIC_READ") ?? "";
  const host = values.host ?? given(environment, "EVIDENCE_HOST") ?? "127.0.0.1";
  const where = await whereaboutsFrom(values, environment);
  const metricsPort = values["metrics-port"] ?? given(environment, "EVIDENCE_METRICS_PORT");
  const metricsHost = values["metrics-host"] ?? given(environment, "EVIDENCE_METRICS_HOST") ?? host;
  const drainSeconds = values["drain-seconds"] ?? given(environment, "EVIDENCE_DRAIN_SECONDS") ?? "0";
  const drainMs = 1000 * wholeNumber(drainSeconds, "--drain-seconds", 0);
  const workers = values.workers ?? given(environment, "EVIDENCE_WORKERS") ?? String(defaultWorkers());
  const settings = {
    ...where,
    port: portNumber(values.port ?? given(environment, "EVIDENCE_PORT") ?? "8800"),
    host,
    ...(org === undefined ? {} : { org }),
    ...(adminKey === undefined ? {} : { adminKey }),
    ...(publicUrl === undefined ? {} : { publicUrl: webAddress(publicUrl) }),
    ...(metricsPort === undefined ? {} : { metrics: { host: metricsHost, port: portNumber(metricsPort) } }),
    publicOrgs: publicRead.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
    // The first one answers all that is not large.
    workers: wholeNumber(workers, "--workers", 1) - 1,
    limits: limitsFrom(values, environment),
    ...(await notificationsFrom(values, environment)),
    ...(await issuersFrom(values, environment)),
    version: VERSION,
  };
  // The gate stays open when the disk of the log is full or its collector restarts.
  const lostLogLines = terminal.tolerateLostLines();
  const log = await openLog(logFormat(values.log, terminal), terminal);
  for (const warning of [exposureWarning(host, publicUrl), await secretKeyWarning(values, environment)]) {
    if (warning !== undefined) log({ level: "warn", message: warning });
  }
  // Records and keys are for the owner of the service alone, whatever the shell that started it lets others read.
  process.umask(0o077);
  const { startService } = await import("../service/service.ts");
  const { address, metricsAddress, firstKey, drain, close } = await startService({
    ...settings,
    log,
    lostLogLines,
  });
  const recordsAt = where.database === undefined ? where.dataFolder : shownAddress(where.database);
  // From here on: whoever reads that it listens may tell it to stop.
  const stopping = stopSignal();
  print(`delivery-evidence ${VERSION} listens on ${address} and keeps its records in ${recordsAt}`);
  if (firstKey !== undefined) print(`Admin API key, shown only now: ${firstKey}`);
  log({ level: "info", message: `Version ${VERSION} listens on ${address}` });
  if (metricsAddress !== undefined) {
    log({ level: "info", message: `The metrics are at ${metricsAddress}/metrics` });
  }
  const status = await stopping;
  drain();
  const first = drainMs === 0 ? "" : `goes on for ${drainSeconds} s, then `;
  log({ level: "info", message: `The service ${first}stops once the requests under way are answered` });
  await delay(drainMs);
  await close();
  log({ level: "info", message: "The service has stopped" });
  return status;
}

const MOST_WORKERS = 4;

/** As many as there are cores, but not more than a service has use for. */
function defaultWorkers(): number {
  return Math.min(availableParallelism(), MOST_WORKERS);
}

/** Resolves with the exit status when the process is told to stop. A second signal ends it at once. */
function stopSignal(): Promise<number> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const each of ["SIGTERM", "SIGINT"]) process.removeListener(each, stop);
      resolve(signal === "SIGTERM" ? 0 : 130);
    };
    process.on("SIGTERM", stop).on("SIGINT", stop);
  });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`'${text}' is not a port: 0 to 65535 are`);
  return port;
}

function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new UsageError(`'${text}' is not a web address such as https://evidence.example.org`);
  }
  return text;
}
