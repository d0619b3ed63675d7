import { reportEnv } from "../actions/report-env.ts";
import { runAsCommand } from "./action-command.ts";
import type { COMMANDS } from "./commands.ts";
import { REPORT_OPTIONS } from "./options.ts";
import type { Given, Terminal } from "./usage.ts";

export function report({ values }: Given<typeof COMMANDS.report>, terminal: Terminal): Promise<number> {
  return runAsCommand(reportEnv, REPORT_OPTIONS, values, terminal);
}
