import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The command line as users start it, from its sources. */
export const CLI = join(root, "src/cli.ts");
