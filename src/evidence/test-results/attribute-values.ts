import { ReportFault } from "../report-fault.ts";

const MAX_TIME_CHARACTERS = 50;

/** Seconds: `0.5`, Surefire's `1,234.5`, `0,5` with a decimal comma; 0 for anything else. */
export function seconds(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const text = written.trim().replace(/s$/, "");
  const isGrouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  const value = Number(isGrouped ? text.replaceAll(",", "") : text.replace(",", "."));
  return Number.isFinite(value) && value > 0 ? value : 0;
}

/** Requires a time zone, without which the time is ambiguous. */
export function unixSeconds(written: string | undefined): number | undefined {
  if (
    written === undefined ||
    written.length > MAX_TIME_CHARACTERS ||
    !/\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(written)
  )
    return undefined;
  const milliseconds = Date.parse(written);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

/** @throws ReportFault for anything but a count, since a failure must not be read as 0 */
export function count(name: string, written: string | undefined): number {
  if (written === undefined || written.trim() === "") return 0;
  if (/^\s*\d{1,9}\s*$/.test(written)) return Number(written);
  throw new ReportFault(`has a suite with ${name}="${written.slice(0, 50)}", which is not a count`);
}

export function lineNumber(written: string | undefined): number | undefined {
  return written !== undefined && /^[1-9]\d{0,6}$/.test(written) ? Number(written) : undefined;
}
