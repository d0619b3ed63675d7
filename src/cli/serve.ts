import { VERSION } from "../api/version.ts";
import { DATABASE_OPTIONS, databaseFrom } from "./database-options.ts";
import { exposureWarning } from "./exposure.ts";
import { LIMIT_OPTIONS, limitsFrom } from "./limit-options.ts";
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
    ...LIMIT_OPTIONS,
  } as const;
  const { values } = parse(args, options);
  const dataFolder = values.data ?? given(environment, "EVIDENCE_DATA");
  if (!dataFolder) throw new UsageError("Say where to keep the records: --data DIR or EVIDENCE_DATA");
  const org = values.org ?? given(environment, "EVIDENCE_ORG");
  const adminKey = given(environment, "EVIDENCE_ADMIN_KEY");
  const publicUrl = values["public-url"] ?? given(environment, "EVIDENCE_PUBLIC_URL");
  const host = values.host ?? given(environment, "EVIDENCE_HOST") ?? "127.0.0.1";
  const database = await databaseFrom(values, environment);
  const settings = {
    dataFolder,
    ...(database === undefined ? {} : { database }),
    port: portNumber(values.port ?? given(environment, "EVIDENCE_PORT") ?? "8800"),
    host,
    ...(org === undefined ? {} : { org }),
    ...(adminKey === undefined ? {} : { adminKey }),
    ...(publicUrl === undefined ? {} : { publicUrl: webAddress(publicUrl) }),
    limits: limitsFrom(values, environment),
    version: VERSION,
  };
  const log = await openLog(logFormat(values.log, terminal), terminal);
  const warning = exposureWarning(host, publicUrl);
  if (warning !== undefined) log({ level: "warn", message: warning });
  // Records and keys are for the owner of the service alone, whatever the shell that started it lets others read.
  process.umask(0o077);
  const { startService } = await import("../service/service.ts");
  const { address, firstKey, close } = await startService({ ...settings, log });
  print(`delivery-evidence ${VERSION} listens on ${address} and keeps its records in ${dataFolder}`);
  log({ level: "info", message: `Version ${VERSION} listens on ${address}` });
  if (firstKey !== undefined) print(`Admin API key, shown only now: ${firstKey}`);
  const status = await stopSignal();
  log({ level: "info", message: "The service stops once the requests under way are answered" });
  await close();
  log({ level: "info", message: "The service has stopped" });
  return status;
}

/** Resolves with the exit status when the process is told to stop. A second signal ends it at once. */
function stopSignal(): Promise<number> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve(0));
    process.once("SIGINT", () => resolve(130));
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
