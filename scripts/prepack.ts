/*
 * Builds the content of the package: freshly compiled sources, and the viewer of the reference page. The viewer is not
 * a dependency, because every installation would then download twelve megabytes and be reported to the viewer's makers.
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileSources } from "./compile.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(join(root, "lib"), { recursive: true, force: true });
compileSources(root);

const source = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const target = join(root, "lib/service/http/viewer");
mkdirSync(target, { recursive: true });
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"]) {
  copyFileSync(join(source, file), join(target, file));
}
