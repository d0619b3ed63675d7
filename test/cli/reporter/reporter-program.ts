import { join } from "node:path";
import { bundleReporter } from "../../../scripts/bundle.ts";

const root = join(import.meta.dirname, "../../..");

/** Bundles the file of the container image, and returns its path. */
export async function reporterProgram(): Promise<string> {
  const folder = join(root, "node_modules/.cache/reporter");
  await bundleReporter(root, folder);
  return join(folder, "index.js");
}
