import type { TestProject } from "vitest/node";
import { startPostgres } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The port of the server that the tests of a project share. */
    postgresPort: number;
  }
}

/** A server for all tests of the project. What is lost with the machine, nobody misses. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: ["fsync = off"] });
  project.provide("postgresPort", server.port);
  return () => server.dispose();
}
