import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The command line as users start it, from its sources. */
export const CLI = join(root, "src/cli.ts");

/** Lets Node cache the compiled sources for the next start, which halves the work of each. */
export const KEEP_COMPILED = { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node") };
