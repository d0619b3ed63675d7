#!/usr/bin/env node
import { run } from "./cli/main.ts";
import { PROGRAM } from "./cli/operator/program.ts";
import { processTerminal } from "./cli/process-terminal.ts";

// Fails if the command never finishes.
process.exitCode = 1;
process.exitCode = await run(PROGRAM, process.argv.slice(2), processTerminal());
