import { ACTION_COMMANDS } from "./action-commands.ts";
import { COMMANDS } from "./commands.ts";
import { HELP_COMMANDS } from "./help-commands.ts";
import { commandsFrom, loading, type Program } from "./program.ts";

const session = () => import("./login.ts");
const trust = () => import("./trust.ts");
const trustProjects = () => import("./trust-projects.ts");

/** Commands that use a service. */
export const CLIENT_COMMANDS: Program = {
  ...ACTION_COMMANDS,
  ...commandsFrom(COMMANDS, {
    login: loading(session, "login"),
    logout: loading(session, "logout"),
    whoami: loading(session, "whoami"),
    call: loading(() => import("./call.ts"), "callCommand"),
    "trust github": loading(trust, "trustGitHub"),
    "trust gitlab": loading(trustProjects, "trustGitLab"),
    "trust azure": loading(trustProjects, "trustAzure"),
    "trust circleci": loading(trustProjects, "trustCircleci"),
    "trust buildkite": loading(trustProjects, "trustBuildkite"),
    "trust bitbucket": loading(trustProjects, "trustBitbucket"),
    "trust kubernetes": loading(trust, "trustKubernetes"),
    share: loading(() => import("./share.ts"), "share"),
    verify: async () => {
      const { verifyReplay } = await import("./verify-replay.ts");
      return ({ values }, terminal) => verifyReplay(values, terminal);
    },
    replay: loading(() => import("./replay.ts"), "replayCommand"),
  }),
};

/** The program of the client's package. */
export const CLIENT_PROGRAM: Program = { ...CLIENT_COMMANDS, ...HELP_COMMANDS };
