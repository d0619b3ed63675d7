import { tmpdir } from "node:os";
import { join } from "node:path";

/** For test programs in TypeScript: Node caches the compiled code of a file for the next run. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), "delivery-evidence-compiled") } as const;
