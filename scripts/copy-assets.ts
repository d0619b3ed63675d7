/* Copies the files that the service serves next to its compiled modules. */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";

for (const path of ["pages/assets", "http/openapi.json", "evidence/controls/packs"]) {
  const inFolder = (top: string) => fileURLToPath(new URL(`../${top}/service/${path}`, import.meta.url));
  cpSync(inFolder("src"), inFolder("lib"), { recursive: true });
}
