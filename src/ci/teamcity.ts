import { asCommitSha } from "../github/api/commit-facts.ts";
import type { CiSystem, Variables } from "./variables.ts";

/**
 * TeamCity, which describes a build by parameters rather than variables.
 *
 * | Fact | Variables |
 * | --- | --- |
 * | commit | `BUILD_VCS_NUMBER`, the only `BUILD_VCS_NUMBER_…`, else the clone |
 * | branch, repository | the clone |
 * | run | `BUILD_NUMBER`, `BUILD_URL` |
 * | clone | the current folder, `TEAMCITY_BUILD_CHECKOUTDIR` if it was set as a parameter |
 */
export const teamcity: CiSystem = {
  name: "teamcity",
  advice: {
    commit:
      "Attach a VCS root, so that TeamCity sets BUILD_VCS_NUMBER. With several, add the parameter env.BUILD_VCS_NUMBER with the value %build.vcs.number.ID%.",
    repository: "Set the VCS checkout mode to check out on the agent, and run this command in the checkout.",
    run: "Set the server URL in TeamCity's global settings, so that TeamCity sets BUILD_URL.",
    history: "Set a checkout policy without shallow clones for the VCS root.",
  },
  fromClone: ["commit", "branch"],
  detect: (variable) => variable("TEAMCITY_VERSION") !== undefined,
  read(variable) {
    return {
      commit: commitIn(variable),
      run: { id: variable("BUILD_NUMBER"), url: variable("BUILD_URL") },
      workspace: variable("TEAMCITY_BUILD_CHECKOUTDIR"),
    };
  },
};

/** With several VCS roots, each has a variable of its own. */
function commitIn(variable: Variables): string | undefined {
  const names = variable.names.filter((name) => name.startsWith("BUILD_VCS_NUMBER_"));
  const [only, ...others] = new Set(names.map(variable));
  return asCommitSha(variable("BUILD_VCS_NUMBER") ?? (others.length === 0 ? only : undefined));
}
