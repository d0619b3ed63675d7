import type { CiSystem } from "./variables.ts";

/** A clone outside of any known CI system: commit, branch and repository are those of the clone around the folder. */
export const plainGit: CiSystem = {
  name: "git",
  advice: {
    commit: "Run this command in a Git clone.",
    repository:
      "Add a remote with the address of the repository to the clone: git remote add origin ADDRESS.",
    run: "Set origin-url to a page about the origin of the record.",
    history: "Run git fetch --unshallow in the clone.",
  },
  fromClone: ["commit", "branch"],
  detect: () => true,
  read: () => ({}),
};
