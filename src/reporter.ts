/* The program of the reporter's container image: the command `watch` alone, in one file. */
import { commandHelp } from "./cli/command-help.ts";
import { explained } from "./cli/explained.ts";
import { processTerminal } from "./cli/process-terminal.ts";
import { parse } from "./cli/usage.ts";
import { watch } from "./cli/watch.ts";
import { WATCH } from "./cli/watch-options.ts";

const args = process.argv.slice(2);

// Fails if the command never finishes.
process.exitCode = 1;
process.exitCode = await explained(processTerminal(), async (terminal) => {
  if (!args.includes("--help")) return watch(parse(args, "watch", WATCH), terminal);
  terminal.print(commandHelp("watch", WATCH));
  return 0;
});
