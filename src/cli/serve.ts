import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { VERSION } from "../api/version.ts";
import { shownAddress } from "../service/store/postgres/address.ts";
import { attachmentsFrom } from "./attachments-option.ts";
import { DATABASE_OPTIONS, databaseFrom } from "./database-options.ts";
import { exposureWarning } from "./exposure.ts";
import { LIMIT_OPTIONS, limitsFrom, wholeNumber } from "./limit-options.ts";
import { logFormat, openLog } from "./log-format.ts";
import { DATA_OPTIONS, given, parse, type Terminal, UsageError } from "./usage.ts";

/** Starts the service and keeps it up until the process is told to stop. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const options = {
    ...DATA_OPTIONS,
    port: { type: "string" },
    host: { type: "string" },
    "public-url": { type: "string" },
    ...DATABASE_OPTIONS,
    log: { type: "string" },
    "metrics-port": { type: "string" },
    "metrics-host": { type: "string" },
    "drain-seconds": { type: "string" },
    attachments: { type: "string" },
    workers: { type: "string" },
    "allow-http": { type: "boolean" },
    ...LIMIT_OPTIONS,
  } as const;
  const { values } = parse(args, options);
  const dataFolder = values.data ?? given(environment, "EVIDENCE_DATA");
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const publicUrl = values["public-url"] ?? given(environment, "EVIDENCE_PUBLIC_URL");
  const host = values.host ?? given(environment, "EVIDENCE_HOST") ?? "127.0.0.1";
  const database = await databaseFrom(values, environment);
  const metricsPort = values["metrics-port"] ?? given(environment, "EVIDENCE_METRICS_PORT");
  const metricsHost = values["metrics-host"] ?? given(environment, "EVIDENCE_METRICS_HOST") ?? host;
  const drainSeconds = values["drain-seconds"] ?? given(environment, "EVIDENCE_DRAIN_SECONDS") ?? "0";
  const drainMs = 1000 * wholeNumber(drainSeconds, "--drain-seconds", 0);
  const attachments = values.attachments ?? given(environment, "EVIDENCE_ATTACHMENTS");
  const attachmentsAt = await attachmentsFrom(attachments, environment, values["allow-http"] ?? false);
  if (database === undefined && !dataFolder) {
    throw new UsageError(
      "Say where to keep the records: --data DIR or EVIDENCE_DATA, or --database-url and --attachments",
    );
  }
  if (attachmentsAt === undefined && !dataFolder) {
    throw new UsageError(
      "Say where to keep attachments: --attachments s3://bucket/prefix or DIR, or --data DIR",
    );
  }
  const workers = values.workers ?? given(environment, "EVIDENCE_WORKERS") ?? String(defaultWorkers());
  const settings = {
    ...(dataFolder === undefined ? {} : { dataFolder }),
    ...(database === undefined ? {} : { database }),
    ...(attachmentsAt === undefined ? {} : { attachmentsAt }),
    port: portNumber(values.port ?? given(environment, "EVIDENCE_PORT") ?? "8800"),
    host,
    ...(org === undefined ? {} : { org }),
    ...(adminKey === undefined ? {} : { adminKey }),
    ...(publicUrl === undefined ? {} : { publicUrl: webAddress(publicUrl) }),
    ...(metricsPort === undefined ? {} : { metrics: { host: metricsHost, port: portNumber(metricsPort) } }),
    // The first one answers all that is not large.
    workers: wholeNumber(workers, "--workers", 1) - 1,
    limits: limitsFrom(values, environment),
    version: VERSION,
  };
  const log = await openLog(logFormat(values.log, terminal), terminal);
  const warning = exposureWarning(host, publicUrl);
  if (warning !== undefined) log({ level: "warn", message: warning });
  // Records and keys are for the owner of the service alone, whatever the shell that started it lets others read.
  process.umask(0o077);
  const { startService } = await import("../service/service.ts");
  const { address, metricsAddress, firstKey, drain, close } = await startService({ ...settings, log });
  const recordsAt = database === undefined ? dataFolder : shownAddress(database);
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
