/* Has the sources know the version that "npm version" has just written into package.json, which runs this. */
import { readFileSync, writeFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const path = "src/api/version.ts";
writeFileSync(path, readFileSync(path, "utf8").replace(/"\d+\.\d+\.\d+"/, JSON.stringify(version)));
