import type { Environment } from "../address.ts";
import type { Connections } from "../exchange.ts";

/** What a service finds around it when it looks for credentials. */
export interface Surroundings {
  readonly environment: Environment;
  readonly region: string;
  readonly connections: Connections;
}
