import { VERSION } from "../api/version.ts";
import { COMMANDS, type CommandName, commandOf } from "./commands.ts";
import { explained } from "./explained.ts";
import { helpFor, unknownCommand } from "./help.ts";
import { type Given, parse, type Terminal } from "./usage.ts";

/** Returns the exit status. Errors are explained on the standard error. */
export function run(args: readonly string[], terminal: Terminal): Promise<number> {
  return explained(terminal, (safe) => main(args, safe));
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
  watch: async () => (await import("./watch.ts")).watch,
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
