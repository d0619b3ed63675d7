import { VERSION } from "../api/version.ts";
import { explained } from "./explained.ts";
import { commandOf, type Program } from "./program.ts";
import type { Terminal } from "./usage.ts";

/** Runs a command of a program. Errors are explained on the standard error. @returns the exit status */
export function run(program: Program, args: readonly string[], terminal: Terminal): Promise<number> {
  return explained(terminal, (safe) => main(program, args, safe));
}

/** @throws {UsageError} for an invalid command line */
async function main(program: Program, args: readonly string[], terminal: Terminal): Promise<number> {
  if (args[0] === "--version") {
    terminal.print(VERSION);
    return 0;
  }
  if (args.includes("--help") || args[0] === "-h") {
    const words = args.slice(0, 2).filter((word) => !word.startsWith("-"));
    return main(program, ["help", ...words], terminal);
  }
  const name = commandOf(program, args) ?? "";
  const command = program[name];
  if (command === undefined) throw (await import("./help.ts")).unknownCommand(args, program);
  return command.run(args.slice(name.split(" ").length), terminal, program);
}
