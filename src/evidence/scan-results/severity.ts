export type Severity = "critical" | "high" | "medium" | "low" | "none";

/** The most severe first. */
export const SEVERITIES: readonly Severity[] = ["critical", "high", "medium", "low", "none"];

/** The lowest severity that fails a scan; `none` never fails it. */
export type FailLevel = Severity;

export type SeverityCounts = Readonly<Record<Severity, number>>;

/** The bands of CVSS 3, as for `security-severity`. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return "critical";
  if (score >= 7) return "high";
  if (score >= 4) return "medium";
  return score > 0 ? "low" : "none";
}

const OF_LEVEL: ReadonlyMap<unknown, Severity> = new Map([
  ["error", "high"],
  ["warning", "medium"],
  ["note", "low"],
  ["none", "none"],
]);

/** Undefined for an unknown SARIF level. */
export function severityOfLevel(level: unknown): Severity | undefined {
  return OF_LEVEL.get(level);
}

const OF_WORD: ReadonlyMap<string, Severity> = new Map([
  ["critical", "critical"],
  ["high", "high"],
  ["medium", "medium"],
  ["low", "low"],
  ["negligible", "none"],
  ["info", "none"],
  ["none", "none"],
  ["unknown", "none"],
]);

/** Undefined for an unknown word. */
export function severityOfWord(word: string): Severity | undefined {
  return OF_WORD.get(word.toLowerCase());
}

export function failsAt(severity: Severity, failLevel: FailLevel): boolean {
  return failLevel !== "none" && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failLevel);
}

export function countSeverities(findings: readonly { severity: Severity }[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

export function sumOf(counts: readonly SeverityCounts[]): SeverityCounts {
  const sum = { critical: 0, high: 0, medium: 0, low: 0, none: 0 };
  for (const each of counts) for (const severity of SEVERITIES) sum[severity] += each[severity];
  return sum;
}
