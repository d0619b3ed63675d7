import { CLIENT_COMMANDS } from "../client-program.ts";
import { COMMANDS } from "../commands.ts";
import { HELP_COMMANDS } from "../help-commands.ts";
import { REPLAY_OPTIONS } from "../options.ts";
import { type Command, commandsFrom, type Program } from "../program.ts";
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

/**
 * `verify` of records and, with `--replay`, of decisions. The client's package runs the latter, because the service's
 * lacks parts that it loads.
 */
function verifyCommand(): Command {
  const [ofRecords, ofDecisions] = [OWN_COMMANDS["verify"], CLIENT_COMMANDS["verify"]];
  if (!ofRecords || !ofDecisions) throw new Error("A program lacks the command verify");
  return {
    ...ofRecords,
    async define() {
      const records = await ofRecords.define();
      const { details, statuses, examples } = COMMANDS.verify;
      return {
        ...records,
        options: { ...REPLAY_OPTIONS, ...records.options },
        details: `With --replay: ${details}`,
        statuses: `${records.statuses}. With --replay: ${statuses}`,
        examples: [...records.examples, ...examples],
      };
    },
    run(args, terminal, program) {
      const isReplay = args.some((word) => /^--replay(?:=|$)/.test(word));
      return (isReplay ? ofDecisions : ofRecords).run(args, terminal, program);
    },
  };
}

/** The program of the service's package. */
export const PROGRAM: Program = {
  ...OWN_COMMANDS,
  ...CLIENT_COMMANDS,
  verify: verifyCommand(),
  ...commandsFrom({ watch: WATCH }, { watch: async () => (await import("../watch.ts")).watch }),
  ...HELP_COMMANDS,
};
