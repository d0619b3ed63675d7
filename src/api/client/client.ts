import { type OperationName, operations } from "../resources/operations.ts";
import { call } from "./call.ts";
import { type Connection, connect } from "./connection.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import type { Methods } from "./methods.ts";
import type { CallOptions } from "./reply.ts";

/** The methods that the static block below defines. */
export interface EvidenceClient extends Methods {}

/**
 * Client of a service, with one method for each operation.
 *
 * @example
 * const client = new EvidenceClient({ apiKey, org: "acme", baseUrl: "https://evidence.example.com" });
 * const { body } = await client.listRepos({ perPage: 50 });
 * await client.close();
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the static block defines what the interface declares.
export class EvidenceClient {
  readonly #connection: Connection;

  /** @throws {InputError} with all invalid options */
  constructor(options: ConnectionOptions) {
    this.#connection = connect(options, "code");
  }

  static {
    for (const name of Object.keys(operations) as OperationName[]) {
      Object.defineProperty(EvidenceClient.prototype, name, {
        value(this: EvidenceClient, request: never, options?: CallOptions) {
          return call(this.#connection, operations[name], request, options);
        },
      });
    }
  }

  /** Closes the connections, which would keep the process alive for a few seconds. */
  async close(): Promise<void> {
    await this.#connection.close();
  }
}
