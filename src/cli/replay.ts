import { stat } from "node:fs/promises";
import { readInputs } from "../github/step/inputs.ts";
import { openSubmission, readSpool } from "../spool/read.ts";
import { replay } from "../spool/replay.ts";
import type { COMMANDS } from "./commands.ts";
import { openConnection } from "./connection-options.ts";
import { tellInterrupts } from "./interrupts.ts";
import { type Given, given, type Terminal, UsageError } from "./usage.ts";

type ReplayGiven = Given<typeof COMMANDS.replay>;

/** The status is 0 only if all of the spool is on record. */
export async function replayCommand(
  { values, positionals }: ReplayGiven,
  terminal: Terminal,
): Promise<number> {
  const [folder = ""] = positionals;
  const faults = await download(folder, values, terminal);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`The folder '${folder}' does not exist`);
  }
  const org = values.org ?? given(terminal.environment, "EVIDENCE_ORG") ?? (await onlyOrg(folder));
  using _ = tellInterrupts(terminal);
  const own = { ...values, ...(org !== undefined && { org }) };
  await using connection = await openConnection(own, terminal);
  const report = await replay(folder, connection, {
    tell: ({ name, what, ...done }) => {
      if (done.result === "left") return terminal.note(`left: ${name} (${what}): ${done.reason}`);
      terminal.print(`${done.result === "found" ? "already recorded" : "recorded"}: ${name} (${what})`);
      for (const warning of done.warnings) terminal.note(`warning: ${warning}`);
    },
  });
  const { recorded, found, left, stopped } = report;
  terminal.print(`${recorded} recorded, ${found} already recorded, ${left} left`);
  if (stopped) throw stopped;
  return left === 0 && faults === 0 ? 0 : 1;
}

/**
 * Downloads spools of the repository that `--from-github` names, without runs of forks.
 *
 * @returns the number of unreadable artifacts
 */
async function download(
  folder: string,
  values: ReplayGiven["values"],
  { environment, note }: Terminal,
): Promise<number> {
  const { "from-github": repository, branch: branches = [] } = values;
  if (repository === undefined) {
    const alone = (["branch", "max-age-days"] as const).find((name) => values[name] !== undefined);
    if (alone !== undefined) throw new UsageError(`--${alone} needs --from-github OWNER/REPO`);
    return 0;
  }
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new UsageError(`--from-github must be OWNER/REPO, got '${repository}'`);
  }
  const { inputs } = (await import("../actions/replay.ts")).replay;
  const age = { "max-age-days": inputs["max-age-days"] };
  const read = readInputs(age, { "max-age-days": values["max-age-days"] ?? "" }, {});
  for (const { input, problem } of read.problems) throw new UsageError(`--${input} ${problem}`);
  const { maxAgeDays } = read.values;
  const token = given(environment, "GITHUB_TOKEN") ?? given(environment, "GH_TOKEN");
  if (token === undefined) throw new UsageError("--from-github needs a token in GITHUB_TOKEN");
  const apiUrl = (given(environment, "GITHUB_API_URL") ?? "https://api.github.com").replace(/\/+$/, "");
  const { signal } = new AbortController();
  const address = { apiUrl, repository, token, signal, env: environment };
  const { fetchSpools } = await import("../spool/fetch-spools.ts");
  const request = { address, folder, branches, maxAgeDays, input: "--from-github", note };
  const faults = await fetchSpools(request);
  for (const fault of faults) note(fault);
  return faults.length;
}

/** The organization of all submissions; undefined if there are several or none. */
async function onlyOrg(folder: string): Promise<string | undefined> {
  const opened = await Promise.all((await readSpool(folder)).map(openSubmission));
  const [only, ...others] = new Set(opened.flatMap(({ submission }) => submission?.org ?? []));
  return others.length === 0 ? only : undefined;
}
