/* Bundles the actions into dist/ and starts each bundle once, because ncc succeeds despite unresolved imports. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BUNDLES, bundle } from "./bundle.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
await bundle(root, `${root}dist`);
for (const name of BUNDLES) {
  const program = `${root}dist/${name}/index.js`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    encoding: "utf8",
    env: { INPUTS: "{}" },
  });
  if (status !== 1 || stderr !== "" || !/^::error title=input\.missing::.*org/m.test(stdout)) {
    throw new Error(`dist/${name} does not start as it should (status ${status}):\n${stdout}${stderr}`);
  }
  process.stdout.write(`dist/${name}/index.js ${(statSync(program).size / 1024).toFixed(0)} kB\n`);
}
