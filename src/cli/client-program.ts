import { ACTION_COMMANDS } from "./action-commands.ts";
import { COMMANDS } from "./commands.ts";
import { HELP_COMMANDS } from "./help-commands.ts";
import { commandsFrom, type Program } from "./program.ts";

/** Commands that use a service. */
export const CLIENT_COMMANDS: Program = {
  ...ACTION_COMMANDS,
  ...commandsFrom(COMMANDS, {
    login: async () => (await import("./login.ts")).login,
    logout: async () => (await import("./login.ts")).logout,
    whoami: async () => (await import("./login.ts")).whoami,
    call: async () => (await import("./call.ts")).callCommand,
    "trust github": async () => (await import("./trust.ts")).trustGitHub,
    "trust gitlab": async () => (await import("./trust-projects.ts")).trustGitLab,
    "trust azure": async () => (await import("./trust-projects.ts")).trustAzure,
    "trust circleci": async () => (await import("./trust-projects.ts")).trustCircleci,
    "trust buildkite": async () => (await import("./trust-projects.ts")).trustBuildkite,
    "trust bitbucket": async () => (await import("./trust-projects.ts")).trustBitbucket,
    "trust kubernetes": async () => (await import("./trust.ts")).trustKubernetes,
    share: async () => (await import("./share.ts")).share,
    verify: async () => {
      const { verifyReplay } = await import("./verify-replay.ts");
      return ({ values }, terminal) => verifyReplay(values, terminal);
    },
    replay: async () => (await import("./replay.ts")).replayCommand,
  }),
};

/** The program of the client's package. */
export const CLIENT_PROGRAM: Program = { ...CLIENT_COMMANDS, ...HELP_COMMANDS };
