import { ownCluster } from "../kubernetes/api-server.ts";
import { openConnection } from "./connection-options.ts";
import { readEnvironments } from "./reporter/environments.ts";
import { runReporter } from "./reporter/run-reporter.ts";
import { sendReport } from "./reporter/send-report.ts";
import { stopSignal } from "./stop-signal.ts";
import { type Given, optionOrVariable, portNumber, type Terminal, UsageError } from "./usage.ts";
import type { WATCH } from "./watch-options.ts";

/** Runs until a signal. */
export async function watch({ values }: Given<typeof WATCH>, terminal: Terminal): Promise<number> {
  const text = optionOrVariable(values, terminal.environment);
  const seconds = (name: "interval" | "debounce", otherwise: string, least: number, most: number) => {
    const given = text(name) ?? otherwise;
    const number = given.trim() === "" ? Number.NaN : Number(given);
    if (number >= least && number <= most) return number * 1000;
    throw new UsageError(`--${name} must be between ${least} and ${most} seconds, got '${given}'`);
  };
  const timing = {
    intervalMs: seconds("interval", "300", 5, 3600),
    debounceMs: seconds("debounce", "5", 0, 60),
  };
  const port = portNumber(text("port") ?? "8080", "--port");
  const environments = await readEnvironments(values.config);
  const stopping = new AbortController();
  const { signal } = stopping;
  // Names from the cluster cannot start a line.
  const log = (line: string) => terminal.note(`${new Date().toISOString()} ${line.replaceAll("\n", "\\n")}`);
  // The pod's log may be full or lost; reports go on.
  terminal.tolerateLostLines();
  const cluster = await ownCluster(terminal.environment, signal);
  const own = { cluster, environments, log, signal, ...timing, host: text("host") ?? "0.0.0.0", port };
  const stopped = stopSignal().then((status) => {
    stopping.abort();
    return status;
  });
  if (values["dry-run"]) {
    const send = async ({ name }: { name: string }, artifacts: readonly object[]) => {
      terminal.print(JSON.stringify({ environment: name, type: "K8S", artifacts }));
      return "";
    };
    await runReporter({ ...own, send });
    return stopped;
  }
  // The reporter itself tries again, with what runs by then.
  const once = { ...values, retries: "0" };
  await using connection = await openConnection(once, terminal, undefined, signal);
  await runReporter({ ...own, send: (environment, pods) => sendReport(connection, environment, pods) });
  return stopped;
}
