/*
 * Measures waiting times and the effects of clients on each other, and compares each figure with its bound. Prints a
 * table, then the same as JSON. Exits with 1 if a bound is missed. With names of groups, measures only those.
 */
import { fileURLToPath } from "node:url";
import { bucket } from "./bench/bucket.ts";
import { bystander } from "./bench/bystander.ts";
import { cluster } from "./bench/cluster.ts";
import { durable } from "./bench/durable.ts";
import { evaluations } from "./bench/evaluations.ts";
import { fingerprint } from "./bench/fingerprint.ts";
import { lists } from "./bench/lists.ts";
import { log } from "./bench/log.ts";
import { memory } from "./bench/memory.ts";
import { move } from "./bench/move.ts";
import { notifications } from "./bench/notifications.ts";
import { pages } from "./bench/pages.ts";
import { people } from "./bench/people.ts";
import { tableOf } from "./bench/report.ts";
import { reporter } from "./bench/reporter.ts";
import {
  type Finding,
  GROUPS,
  type Group,
  isHeld,
  type Measured,
  type Measurements,
  NOT_BUILT,
} from "./bench/rows.ts";
import { sizes } from "./bench/sizes.ts";
import { slowMotion } from "./bench/slow-motion.ts";
import { stalls } from "./bench/stalls.ts";
import { startUp } from "./bench/start-up.ts";
import { testReports } from "./bench/test-reports.ts";
import { compileSources } from "./compile.ts";

/** A group that this machine cannot measure returns undefined and says why. */
type Measuring<Name extends Group> = (root: string) => Promise<Measurements<Name> | undefined>;

const MEASURING: { readonly [Name in Group]: Measuring<Name> } = {
  "start-up": startUp,
  sizes,
  fingerprint,
  memory,
  "test-reports": testReports,
  cluster,
  reporter,
  bucket,
  durable,
  log,
  "slow-motion": slowMotion,
  notifications,
  lists,
  pages,
  move,
  bystander,
  people,
  evaluations,
  stalls,
};

const root = fileURLToPath(new URL("..", import.meta.url));
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown group: ${unknown.join(", ")}. Groups: ${Object.keys(GROUPS).join(", ")}\n`);
  process.exit(2);
}
compileSources(root);

const findings: Finding[] = [];
for (const [group, measure] of Object.entries(MEASURING)) {
  if (requested.length > 0 && !requested.includes(group)) continue;
  process.stderr.write(`${group} …\n`);
  const measured = await measuredOrNot(measure);
  if (measured === undefined) continue;
  const rows: Readonly<Record<string, Finding>> = GROUPS[group as Group];
  for (const [name, row] of Object.entries(rows)) findings.push({ group, ...row, ...measured(name) });
}
if (requested.length === 0) findings.push(...NOT_BUILT.map((row) => ({ ...row, note: "not built yet" })));

process.stdout.write(tableOf(findings));
process.stdout.write(`\n${JSON.stringify({ node: process.version, findings }, null, 2)}\n`);
if (!findings.every(isHeld)) process.exitCode = 1;

/** Measures a group and returns its rows, or undefined if it is skipped. A group that fails misses only its own rows. */
async function measuredOrNot(
  measure: (root: string) => Promise<Readonly<Record<string, Measured>> | undefined>,
): Promise<((row: string) => Partial<Finding> | undefined) | undefined> {
  try {
    const measured = await measure(root);
    return measured && ((row) => measured[row]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return () => ({ note: "could not be measured: see the error above" });
  }
}
