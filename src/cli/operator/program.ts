import { CLIENT_COMMANDS } from "../client-program.ts";
import { COMMANDS } from "../commands.ts";
import { HELP_COMMANDS } from "../help-commands.ts";
import { REPLAY_OPTIONS } from "../options.ts";
import { type Command, commandsFrom, loading, type Program } from "../program.ts";
import { WATCH } from "../watch-options.ts";
import { OPERATOR_COMMANDS } from "./commands.ts";
import { WITNESS } from "./witness/options.ts";

const accounts = () => import("./accounts.ts");
const controlPacks = () => import("./control-packs.ts");
const copies = () => import("./copies.ts");
const logs = () => import("./logs.ts");

const OWN_COMMANDS = commandsFrom(OPERATOR_COMMANDS, {
  serve: loading(() => import("./serve.ts"), "serve"),
  "keys create": loading(accounts, "createKey"),
  "keys list": loading(accounts, "listKeys"),
  "keys revoke": loading(accounts, "revokeKey"),
  "orgs create": loading(accounts, "createOrganization"),
  "orgs list": loading(accounts, "listOrganizations"),
  "orgs rotate-key": loading(accounts, "rotateStatementKey"),
  "controls packs": loading(controlPacks, "listPacks"),
  "controls import": loading(controlPacks, "importPack"),
  backup: loading(copies, "backup"),
  restore: loading(copies, "restore"),
  move: loading(copies, "move"),
  verify: loading(() => import("./verify.ts"), "verify"),
  adopt: loading(copies, "adopt"),
  "log fsck": loading(logs, "fsck"),
  "log continue": loading(logs, "continueLog"),
  "log replace": loading(logs, "replace"),
  "log new-key": loading(logs, "newKey"),
  "log retire-key": loading(logs, "retire"),
});

/**
 * `verify` of records and packages and, with `--replay`, of decisions. The client's package runs the latter, because the service's
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
  ...commandsFrom(
    { watch: WATCH, witness: WITNESS },
    {
      watch: loading(() => import("../watch.ts"), "watch"),
      witness: loading(() => import("./witness/command.ts"), "witness"),
    },
  ),
  ...HELP_COMMANDS,
};
