#!/usr/bin/env node
/* The client's package in one file: the library when it is imported, the program when it is started. */
import { CLIENT_PROGRAM } from "./cli/client-program.ts";
import { run } from "./cli/main.ts";
import { processTerminal } from "./cli/process-terminal.ts";

export * from "./index.ts";

if (import.meta.main) {
  // Fails if the command never finishes.
  process.exitCode = 1;
  process.exitCode = await run(CLIENT_PROGRAM, process.argv.slice(2), processTerminal());
}
