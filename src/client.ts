#!/usr/bin/env node
/* The program of the client's package. */
import { CLIENT_PROGRAM } from "./cli/client-program.ts";
import { run } from "./cli/main.ts";
import { processTerminal } from "./cli/process-terminal.ts";

// Fails if the command never finishes.
process.exitCode = 1;
process.exitCode = await run(CLIENT_PROGRAM, process.argv.slice(2), processTerminal());
