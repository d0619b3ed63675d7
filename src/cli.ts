#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { isEvidenceError } from "./api/errors.ts";
import { main } from "./cli/main.ts";
import { type Terminal, UsageError } from "./cli/usage.ts";

const terminal: Terminal = {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line.trimEnd()}\n`),
  write: (bytes) => void process.stdout.write(bytes),
  note: (line) => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
};

process.exitCode = 1;
try {
  process.exitCode = await main(process.argv.slice(2), terminal);
} catch (error) {
  for (const line of explain(error)) terminal.note(line);
}

function explain(error: unknown): string[] {
  const reason = `delivery-evidence: ${error instanceof Error ? error.message : String(error)}`;
  if (isEvidenceError(error))
    return [reason, ...[...error.details, error.advice].filter(Boolean).map(indent)];
  const expected = error instanceof UsageError || !(error instanceof Error) || error.cause === undefined;
  return expected ? [reason] : [reason, indent(`because: ${error.cause}`)];
}

function indent(line: string): string {
  return `  ${line}`;
}
