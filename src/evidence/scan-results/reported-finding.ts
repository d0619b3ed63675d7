import { isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";
import type { WrittenLocation } from "../source-location.ts";
import type { FindingPlace, ScanFinding, ScanTool } from "./scan-results.ts";

/** A place with its possible locations in the repository, the likeliest first. */
export interface ReportedPlace extends FindingPlace {
  readonly written: readonly WrittenLocation[];
}

/** A finding without its location in the repository. */
export interface ReportedFinding extends Omit<ScanFinding, "location" | "places"> {
  readonly places: readonly ReportedPlace[];
}

/** One run of one tool, from any format. */
export interface ReportedRun {
  readonly tool: ScanTool;
  readonly findings: readonly ReportedFinding[];
  readonly suppressed: number;
  /** Why the run proves nothing; empty if it completed. */
  readonly fault: string;
}

/** @param path may start at the root of the scanned files */
export function placeIn(path: string, first?: number, last?: number): ReportedPlace[] {
  if (path === "") return [];
  const line = first === undefined ? {} : { line: first };
  const written = [
    { file: path, ...line },
    { file: path.replace(/^[\\/]+/, ""), ...line, mustExist: true },
  ];
  return [{ uri: path.slice(0, 1000), lines: linesText(first, last), written }];
}

/** `12` or `12-15`; empty without a first line. */
export function linesText(first: number | undefined, last: number | undefined): string {
  if (first === undefined) return "";
  return last !== undefined && last > first ? `${first}-${last}` : String(first);
}

/**
 * A list in a scanner's own JSON; empty if absent.
 *
 * @throws ReportFault for anything but a list of objects, because its findings would be missing
 */
export function listOf(of: Untyped, name: string): readonly Untyped[] {
  const list = of[name] ?? [];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new ReportFault(`is incomplete: \`${name}\` is not a list of objects`);
}

export function textOf(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .join(": ")
    .slice(0, 1000);
}

export function lineOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
