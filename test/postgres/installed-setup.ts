import type { TestProject } from "vitest/node";
import { provideServer } from "./global-setup.ts";
import { installedPostgres } from "./installed.ts";

/** A server of the version of the system. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideServer(project, installedPostgres()?.programs);
}
