/* Writes the version that "npm version" has just put into package.json, which runs this, wherever else it stands. */
import { readFileSync, writeFileSync } from "node:fs";

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const number = "\\d+\\.\\d+\\.\\d+";

/** In the sources as a string, in the files for operators behind the name of the package or of its image. */
const places = [
  { path: "src/api/version.ts", before: '"' },
  ...["Dockerfile", "compose.yaml", "kubernetes.yaml"].map((file) => ({
    path: `docs/deployment/${file}`,
    before: `${name}[@:]`,
  })),
];

for (const { path, before } of places) {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(new RegExp(`(?<=${before})${number}\\b`, "g"), version));
}
