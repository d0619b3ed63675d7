/* The program of the reporter's container image: the command `watch` alone, in one file. */
import { explained } from "./cli/explained.ts";
import { processTerminal } from "./cli/process-terminal.ts";
import { parse } from "./cli/usage.ts";
import { watch } from "./cli/watch.ts";
import { WATCH } from "./cli/watch-options.ts";

// Fails if the command never finishes.
process.exitCode = 1;
process.exitCode = await explained(processTerminal(), (terminal) =>
  watch(parse(process.argv.slice(2), "watch", WATCH), terminal),
);
