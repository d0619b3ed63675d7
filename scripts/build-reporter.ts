/* Bundles the reporter for Kubernetes into a folder: npm run build:reporter -- FOLDER. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleReporter } from "./bundle.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: npm run build:reporter -- FOLDER");
await bundleReporter(fileURLToPath(new URL("..", import.meta.url)), resolve(folder));
