import type { TestProject } from "vitest/node";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { PREPARED } from "./prepared.ts";
import { startPostgres } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The port of the server that the tests of a project share. */
    postgresPort: number;
  }
}

/** A server of the version that npm brings. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideServer(project);
}

/**
 * Starts a server for all tests of a project. What is lost with the machine, nobody misses.
 *
 * @param programs where those of another version are
 */
export async function provideServer(project: TestProject, programs?: string): Promise<() => Promise<void>> {
  const server = await startPostgres({
    settings: ["fsync = off"],
    ...(programs === undefined ? {} : { programs }),
  });
  const prepared = await openPostgres({ url: await server.create(PREPARED) });
  await prepared.close();
  project.provide("postgresPort", server.port);
  return () => server.dispose();
}
