/* Puts the files that pages load beside the compiled modules that serve them. */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = (top: string) => fileURLToPath(new URL(`../${top}/service/pages/assets`, import.meta.url));
cpSync(folder("src"), folder("lib"), { recursive: true });
