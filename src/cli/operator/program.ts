import { CLIENT_COMMANDS } from "../client-program.ts";
import { HELP_COMMANDS } from "../help-commands.ts";
import { commandsFrom, type Program } from "../program.ts";
import { WATCH } from "../watch-options.ts";
import { OPERATOR_COMMANDS } from "./commands.ts";

const OWN_COMMANDS = commandsFrom(OPERATOR_COMMANDS, {
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
});

/** The program of the service's package. Its own `verify` also does what the client's does. */
export const PROGRAM: Program = {
  ...OWN_COMMANDS,
  ...CLIENT_COMMANDS,
  ...OWN_COMMANDS,
  ...commandsFrom({ watch: WATCH }, { watch: async () => (await import("../watch.ts")).watch }),
  ...HELP_COMMANDS,
};
