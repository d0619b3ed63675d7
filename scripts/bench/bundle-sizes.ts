import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { BUNDLES } from "../bundle.ts";
import type { Finding } from "./measure.ts";

/** A minified bundle of nothing but core, undici, zod and github, as it was measured before there was an action. */
const LIBRARIES_ALONE_KB = 1120;

/** What each action compiles before it can begin, and all it may load, as parts of its libraries alone. */
export function bundleSizes(root: string): Finding[] {
  return BUNDLES.flatMap((name) => {
    const folder = join(root, "dist", name);
    const sizeOf = (file: string) => statSync(join(folder, file)).size / 1000;
    const files = readdirSync(folder).filter((file) => file.endsWith(".js"));
    const start = sizeOf("index.js");
    const whole = files.reduce((sum, file) => sum + sizeOf(file), 0);
    const unit = "× its libraries alone";
    return [
      {
        what: `bundle ${name}, loaded at start`,
        value: start / LIBRARIES_ALONE_KB,
        unit,
        bound: { most: 0.5 },
        note: `${start.toFixed(0)} kB`,
      },
      {
        what: `bundle ${name}, whole`,
        value: whole / LIBRARIES_ALONE_KB,
        unit,
        bound: { most: 3 },
        note: `${whole.toFixed(0)} kB`,
      },
    ];
  });
}
