import { section } from "./case.ts";

/** Build and supply chain. */
export const SUPPLY_CHAIN = section(8, [
  [
    "bundle with an unresolved import",
    "every file of dist is run",
    "scripts/bundle/bundle.test.ts > a program is not bundled when > a package in it imports what is not there",
    "scripts/bundle/bundle.test.ts > a program is not bundled when > it comes to a missing file only later",
    "scripts/bundle/built.test.ts > %s starts, and says by itself that it was not given its inputs",
    "scripts/bundle/built.test.ts > every part of %s is reached from its start, and each loads by itself",
  ],
  [
    "dist stale, a chunk or package.json not committed",
    "a check fails",
    "scripts/bundle/bundle.test.ts > dist is not current when > a part of a bundle is not committed",
    "scripts/bundle/bundle.test.ts > dist is not current when > a bundle's package.json is not committed",
  ],
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
  [
    "start-up of a bundle",
    "the ratio to bare Node, which `npm run bench` shows, does not grow with what is loaded",
    "actions/attest-start.test.ts > a fact loads no more than what asks the local git, and all of it is small",
  ],
  [
    "peak memory for one 10 MB attachment",
    "at most 15 MiB above the same step without it",
    "api/memory.test.ts > the largest attachment costs at most 15 MiB of memory and arrives whole",
  ],
  [
    "10,000 and 150,000 pods",
    "seconds and bounded memory",
    "faults/figures.test.ts > a cluster of 10,000 pods is reported within 260 MiB",
    "kubernetes/pods-file.test.ts > a file of 10,000 pods is read in at most 250 MiB",
  ],
  [
    "size of a bundle",
    "does not grow",
    "faults/figures.test.ts > no bundle is larger than its bound, at its start or as a whole",
  ],
]);
