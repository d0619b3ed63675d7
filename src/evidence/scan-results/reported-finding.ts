import type { WrittenLocation } from "../source-location.ts";
import type { FindingPlace, ScanFinding, ScanTool } from "./scan-results.ts";

/** A place with what it may mean in the repository, the likeliest first. */
export interface ReportedPlace extends FindingPlace {
  readonly written: readonly WrittenLocation[];
}

/** A finding with what may say where it is in the repository. */
export interface ReportedFinding extends Omit<ScanFinding, "location" | "places"> {
  readonly places: readonly ReportedPlace[];
}

/** One run of one tool, read from a report of any format. */
export interface ReportedRun {
  readonly tool: ScanTool;
  readonly findings: readonly ReportedFinding[];
  readonly suppressed: number;
  /** Why the run proves nothing; empty when it was carried out. */
  readonly fault: string;
}

/** The place in a file that a tool names by its path, which may begin at the root of what it scanned. */
export function placeIn(path: string, first?: number, last?: number): ReportedPlace[] {
  if (path === "") return [];
  const line = first === undefined ? {} : { line: first };
  const written = [
    { file: path, ...line },
    { file: path.replace(/^[\\/]+/, ""), ...line, mustExist: true },
  ];
  return [{ uri: path.slice(0, 1000), lines: linesText(first, last), written }];
}

/** `12`, or `12-15`; empty without a first line. */
export function linesText(first: number | undefined, last: number | undefined): string {
  if (first === undefined) return "";
  return last !== undefined && last > first ? `${first}-${last}` : String(first);
}
