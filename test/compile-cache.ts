import { tmpdir } from "node:os";
import { join } from "node:path";

/** For programs of the tests that are TypeScript: Node keeps what it has made of a file, and takes it the next time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), "delivery-evidence-compiled") } as const;
