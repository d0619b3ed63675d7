import type { ScanResults } from "./scan-results.ts";

const MAX_LISTED = 10;
const MAX_CHARACTERS = 300;

/** What a scan came to in the names of the interface, to stand in `user_data`. */
export function scanData({ runs, counts, suppressed }: ScanResults): Record<string, unknown> {
  const tools = new Map(runs.map(({ tool }) => [`${tool.name}\n${tool.version}`, tool]));
  const faults = new Set(runs.map(({ fault }) => fault).filter(Boolean));
  return {
    tools: [...tools.values()]
      .slice(0, MAX_LISTED)
      .map(({ name, version }) => ({ name: short(name), version: short(version) })),
    findings: counts,
    accepted: suppressed,
    ...(faults.size > 0 && { not_completed: [...faults].slice(0, MAX_LISTED).map(short) }),
  };
}

function short(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}
