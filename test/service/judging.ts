import { commandLineContext } from "../../src/service/events/audit-log/command-line.ts";
import { PatternAnswers } from "../../src/service/judging/patterns/pattern-answers.ts";
import { makeLinks } from "../../src/service/kernel/links.ts";
import type { Judging } from "../../src/service/runtime/snapshots/take-snapshot.ts";

/** What it takes to judge what runs where no pattern is asked for and nobody is told. */
export function judging(orgId: string, now: number): Judging {
  const deliveries = { wake() {}, async attempt() {} };
  const context = { links: makeLinks(() => "http://x"), deliveries };
  return { patterns: new PatternAnswers(), context, by: commandLineContext(orgId, now) };
}
