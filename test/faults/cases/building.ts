import { section } from "./case.ts";

/** Build and supply chain. */
export const SUPPLY_CHAIN = section(8, [
  ["bundle with an unresolved import", "every file of dist is run"],
  ["dist stale, a chunk or package.json not committed", "a check fails"],
  [
    "global fetch, FormData, request without dispatcher",
    "refused in the sources",
    "sources/forbidden.test.ts > the sources ask only through a dispatcher, start processes only by @actions/exec, and make no code of text",
  ],
  [
    "tampered lockfile, install script, new transitive package",
    "refused",
    "lockfile.test.ts > npm ci > refuses a package whose bytes are not those of the lockfile",
    "lockfile.test.ts > a build needs the install script of Node's package, and no other package has one that runs",
  ],
]);

/** Figures. */
export const FIGURES = section(10, [
  ["start-up of a bundle", "the ratio to bare Node does not grow"],
  [
    "peak memory for one 10 MB attachment",
    "about 21 MiB above the bare process",
    "api/memory.test.ts > the largest attachment costs at most 25 MiB of memory and arrives whole",
  ],
  [
    "10,000 and 150,000 pods",
    "seconds and bounded memory",
    "kubernetes/pods-file.test.ts > a file of 10,000 pods is read in at most 250 MiB",
  ],
  ["size of a bundle", "does not grow"],
]);
