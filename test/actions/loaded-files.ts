import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** Lists the files of `dist` that a step loads: `env` configures the step, and the list is complete when it ends. */
export async function loadedFiles() {
  const folder = await mkdtemp(join(tmpdir(), "loaded-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const list = join(folder, "list");
  const hook = join(folder, "hook.mjs");
  await writeFile(
    hook,
    `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(${JSON.stringify(list)}, url + "\\n");
    return next(url, context);
  },
});`,
  );
  return {
    env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` },
    async loaded(): Promise<string[]> {
      const urls = (await readFile(list, "utf8")).trim().split("\n");
      const root = pathToFileURL(`${DIST}/`).href;
      return urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length));
    },
  };
}
