/* Copies the version from package.json, after "npm version" changed it, to all other files with the version. */
import { globSync, readFileSync, writeFileSync } from "node:fs";

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const number = "\\d+\\.\\d+\\.\\d+";

/** In the sources as a string; in the files for operators after the name of the package or image. */
const places = [
  { path: "src/api/version.ts", before: '"' },
  { path: "scripts/bundle/client-package/package.json", before: '"version": "' },
  ...["Dockerfile", "compose.yaml", "kubernetes.yaml"].map((file) => ({
    path: `docs/deployment/${file}`,
    before: `${name}[@:]`,
  })),
  ...["delivery-evidence", "k8s-reporter"].map((chart) => ({
    path: `docs/deployment/charts/${chart}/Chart.yaml`,
    before: "ersion: ",
  })),
  ...["docs/deployment/reporter.Dockerfile", "docs/cluster-reporter.md"].map((path) => ({
    path,
    before: "evidence-reporter:",
  })),
  ...[".github/workflows/witness.yml", "docs/witness.md"].map((path) => ({ path, before: `${name}@` })),
  { path: "docs/deployment/client.Dockerfile", before: "evidence-client:" },
  ...globSync(["integrations/**/{*.*,Dockerfile}", "docs/{other-ci,ci/*}.md"]).map((path) => ({
    path,
    // The package of the client, the image of the pipe, components of GitLab, and the tag of the release.
    before: "(?:/client@|/evidence-pipe:|/attest@|toolkit/v|refs/tags/v|-plugin#v)",
  })),
];

for (const { path, before } of places) {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(new RegExp(`(?<=${before})${number}\\b`, "g"), version));
}
