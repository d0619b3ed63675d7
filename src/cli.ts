#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { run } from "./cli/run.ts";

// A command that never comes to its end has failed.
process.exitCode = 1;
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  get interactive() {
    return process.stderr.isTTY === true;
  },
  print: (line) => void process.stdout.write(`${line.trimEnd()}\n`),
  write: (bytes) => void process.stdout.write(bytes),
  note: (line) => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
});
