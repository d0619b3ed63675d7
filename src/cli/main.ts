import { isEvidenceError } from "../api/client/errors.ts";
import { VERSION } from "../api/version.ts";
import { COMMANDS, type CommandName, commandOf } from "./commands.ts";
import { helpFor, unknownCommand } from "./help.ts";
import { type Given, parse, type Terminal, UsageError } from "./usage.ts";

/** Returns the exit status. Errors are explained on the standard error. */
export async function run(args: readonly string[], raw: Terminal): Promise<number> {
  const terminal: Terminal = {
    environment: raw.environment,
    get interactive() {
      return raw.interactive;
    },
    get printsToTerminal() {
      return raw.printsToTerminal;
    },
    write: (bytes) => raw.write(bytes),
    readInput: () => raw.readInput(),
    tolerateLostLines: () => raw.tolerateLostLines(),
    print: (line) => raw.print(printable(line)),
    note: (line) => raw.note(printable(line)),
    show: (line) => raw.show(printable(line)),
  };
  try {
    return await main(args, terminal);
  } catch (error) {
    for (const line of explain(error)) terminal.note(line);
    return 1;
  }
}

/** Control characters except tabs and line breaks, and marks that change the text's direction. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes what a terminal would obey, as JSON does, so that printed JSON stays the same. */
function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
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

type Loaders = {
  readonly [Name in CommandName]: () => Promise<
    (given: Given<(typeof COMMANDS)[Name]>, terminal: Terminal) => Promise<number> | number
  >;
};

/** Commands load on demand, after their arguments were checked, so help and errors come at once. */
const LOADERS: Loaders = {
  serve: async () => (await import("./serve.ts")).serve,
  "keys create": async () => (await import("./accounts.ts")).createKey,
  "keys list": async () => (await import("./accounts.ts")).listKeys,
  "keys revoke": async () => (await import("./accounts.ts")).revokeKey,
  "orgs create": async () => (await import("./accounts.ts")).createOrganization,
  "orgs list": async () => (await import("./accounts.ts")).listOrganizations,
  backup: async () => (await import("./copies.ts")).backup,
  restore: async () => (await import("./copies.ts")).restore,
  move: async () => (await import("./copies.ts")).move,
  verify: async () => (await import("./copies.ts")).verify,
  adopt: async () => (await import("./copies.ts")).adopt,
  login: async () => (await import("./login.ts")).login,
  logout: async () => (await import("./login.ts")).logout,
  whoami: async () => (await import("./login.ts")).whoami,
  call: async () => (await import("./call.ts")).callCommand,
  "trust github": async () => (await import("./trust.ts")).trustGitHub,
  "trust kubernetes": async () => (await import("./trust.ts")).trustKubernetes,
  share: async () => (await import("./share.ts")).share,
  report: async () => (await import("./report.ts")).report,
  replay: async () => (await import("./replay.ts")).replayCommand,
  help:
    async () =>
    async ({ positionals }, terminal) => {
      terminal.print(await helpFor(positionals));
      return 0;
    },
  completion: async () => (await import("./completion.ts")).completion,
};

/** @throws {UsageError} for an invalid command line */
async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args[0] === "--version") {
    terminal.print(VERSION);
    return 0;
  }
  if (args.includes("--help") || args[0] === "-h") {
    const words = args.slice(0, 2).filter((word) => !word.startsWith("-"));
    return main(["help", ...words], terminal);
  }
  const name = commandOf(args);
  if (name === undefined) throw unknownCommand(args);
  return start(name, args.slice(name.split(" ").length), terminal);
}

async function start<Name extends CommandName>(name: Name, args: readonly string[], terminal: Terminal) {
  const given = parse(args, name, COMMANDS[name]);
  return (await LOADERS[name]())(given, terminal);
}
