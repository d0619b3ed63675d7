import { join } from "node:path";

/** For programs in TypeScript: Node caches the compiled code of a file for the next start, which halves its work. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/node"),
} as const;

/** For git, which otherwise starts `git maintenance` after each commit and each fetch. */
export const NO_MAINTENANCE = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false",
} as const;
