import { stat } from "node:fs/promises";
import { connect } from "../api/connection.ts";
import { openSubmission, readSpool } from "../spool/read.ts";
import { replay } from "../spool/replay.ts";
import { CONNECTION_OPTIONS, connectionOptions } from "./connection-options.ts";
import { tellInterrupts } from "./interrupts.ts";
import { given, parse, type Terminal, UsageError } from "./usage.ts";

/** Records what is in a spool. The status is 0 only when all of it is on record. */
export async function replayCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args, CONNECTION_OPTIONS, 1);
  const [folder] = positionals;
  if (folder === undefined) throw new UsageError("Say what to replay: the folder of a spool");
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`There is no folder '${folder}'`);
  }
  const org = values.org ?? given(terminal.environment, "EVIDENCE_ORG") ?? (await onlyOrg(folder));
  using _ = tellInterrupts(terminal);
  const own = { ...values, ...(org !== undefined && { org }) };
  const connection = connect(await connectionOptions(own, terminal));
  try {
    const report = await replay(folder, connection, {
      tell: ({ name, what, ...done }) => {
        if (done.result === "left") terminal.note(`left: ${name} (${what}): ${done.reason}`);
        else
          terminal.print(`${done.result === "found" ? "on record already" : "recorded"}: ${name} (${what})`);
        for (const warning of done.result === "left" ? [] : done.warnings)
          terminal.note(`warning: ${warning}`);
      },
    });
    const { recorded, found, left, stopped } = report;
    terminal.print(`${recorded} recorded, ${found} on record already, ${left} left`);
    if (stopped) throw stopped;
    return left === 0 ? 0 : 1;
  } finally {
    await connection.close();
  }
}

/** The organization that all submissions belong to; undefined when there are several, or none can be read. */
async function onlyOrg(folder: string): Promise<string | undefined> {
  const opened = await Promise.all((await readSpool(folder)).map(openSubmission));
  const [only, ...others] = new Set(opened.flatMap(({ submission }) => submission?.org ?? []));
  return others.length === 0 ? only : undefined;
}
