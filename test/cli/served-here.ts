import { VERSION } from "../../src/api/version.ts";
import { type RunningService, type ServiceOptions, startService } from "../../src/service/service.ts";

/**
 * Serves a data folder from this process, for commands that run beside a service. A program takes up to a second of
 * CPU to start, which is for tests of the program.
 */
export function serveHere(
  dataFolder: string,
  own: Pick<ServiceOptions, "org" | "adminKey" | "database" | "attachmentsAt"> &
    Partial<Pick<ServiceOptions, "log">>,
): Promise<RunningService> {
  return startService({ dataFolder, host: "127.0.0.1", port: 0, version: VERSION, log: () => {}, ...own });
}
