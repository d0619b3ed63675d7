import type { Log } from "../service/kernel/log.ts";
import { given, type Terminal, UsageError } from "./usage.ts";

const FORMATS = ["text", "json"] as const;
type LogFormat = (typeof FORMATS)[number];

/**
 * How the log is written: as `--log` or `EVIDENCE_LOG` say, else as text for a person at a terminal and as lines of
 * JSON where programs collect it.
 *
 * @throws {UsageError}
 */
export function logFormat(
  option: string | undefined,
  { environment, interactive }: Pick<Terminal, "environment" | "interactive">,
): LogFormat {
  const text = option ?? given(environment, "EVIDENCE_LOG") ?? (interactive ? "text" : "json");
  const format = FORMATS.find((known) => known === text);
  if (format === undefined) throw new UsageError(`'${text}' is not a format of the log: text and json are`);
  return format;
}

/** A log on the standard error. */
export async function openLog(format: LogFormat, { note }: Pick<Terminal, "note">): Promise<Log> {
  if (format === "json") return (await import("../service/ops/json-log.ts")).jsonLog(note);
  const { textLog } = await import("../service/ops/text-log.ts");
  return textLog((line) => note(`${new Date().toISOString()} ${line}`));
}
