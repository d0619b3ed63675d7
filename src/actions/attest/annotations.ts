import type { ScanResults } from "../../evidence/scan-results/scan-results.ts";
import { failsAt } from "../../evidence/scan-results/severity.ts";
import type { TestResults } from "../../evidence/test-results/test-results.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { cut } from "../../github/step/neutral.ts";
import type { Remark, Remarks } from "./attestation-request.ts";

/** The runner shows at most 10 annotations of a kind per step. */
const MAX_ANNOTATIONS = 10;
/** In characters. A title is one line. */
const MAX_TITLE = 200;

export function remarksOnTests({ failures, furtherFailures }: TestResults): Remarks {
  const first = failures.map(({ className, name, message, kind, location }) => ({
    title: [className, name].filter(Boolean).join(" › "),
    text: message || (kind === "error" ? "The test ended with an error" : "The test failed"),
    ...(location && { place: location }),
  }));
  return { first, further: furtherFailures };
}

export function remarksOnScan({ findings, counts, failLevel }: ScanResults): Remarks {
  const first = findings
    .filter(({ severity }) => failsAt(severity, failLevel))
    .map(({ severity, ruleId, tool, message, location }) => ({
      title: `${tool}: ${[severity, ruleId].filter(Boolean).join(" ")}`,
      text: message,
      ...(location && { place: location }),
    }));
  const severities = ["critical", "high", "medium", "low"] as const;
  const all = severities
    .filter((severity) => failsAt(severity, failLevel))
    .reduce((sum, severity) => sum + counts[severity], 0);
  return { first, further: all - first.length };
}

/**
 * Annotates the source files with the remarks, up to the runner's limit.
 *
 * @param reserved annotations that the step needs for itself
 */
export function annotate(
  remarks: readonly Remarks[],
  { error, info }: Pick<ActionContext, "error" | "info">,
  reserved = 0,
): void {
  const all: Remark[] = remarks.flatMap(({ first }) => first);
  const shown = all.slice(0, MAX_ANNOTATIONS - reserved);
  for (const { title, text, place } of shown) error(text, cut(title.replace(/\s+/g, " "), MAX_TITLE), place);
  const further = all.length - shown.length + remarks.reduce((sum, each) => sum + each.further, 0);
  if (further > 0) info(`… and ${further} more failures or findings.`);
}
