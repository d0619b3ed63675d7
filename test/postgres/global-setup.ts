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

/** A server of the version from npm. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideServer(project);
}

/**
 * Starts a server for all tests of a project. Its data need not survive the machine.
 *
 * @param programs folder of another version
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
