import { join } from "node:path";

/**
 * The command line, bundled from its sources before the first test: Node needs three times as long to load each of
 * them as a file of its own. Tests of the package, of an archive and of a first record start it as users do.
 */
export const CLI = join(import.meta.dirname, "../../node_modules/.cache/program/cli.js");

/** The step of `test/github/step.ts`, bundled in the same way. */
export const STEP = join(import.meta.dirname, "../../node_modules/.cache/program/step.js");
