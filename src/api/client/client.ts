import type { RequestOf } from "../operation.ts";
import { type OperationName, operations } from "../resources/operations.ts";
import { type CallOptions, call, type Reply } from "./call.ts";
import { type Connection, type ConnectionOptions, connect } from "./connection.ts";

type Operations = typeof operations;

type Methods = {
  [Name in keyof Operations]: (
    request: RequestOf<Operations[Name]>,
    options?: CallOptions,
  ) => Promise<Reply<Operations[Name]>>;
};

// The methods are made from the operations below; this gives the class their types.
export interface EvidenceClient extends Methods {}

/**
 * The service with one method for each operation of its interface.
 *
 * @example
 * const client = new EvidenceClient({ apiKey, org: "acme" });
 * const { body } = await client.listRepos({ perPage: 50 });
 * await client.close();
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the static block defines what the interface declares.
export class EvidenceClient {
  readonly #connection: Connection;

  /** @throws {InputError} with everything that is wrong with the options */
  constructor(options: ConnectionOptions) {
    this.#connection = connect(options);
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

  /** Closes the connections, which would keep the process alive for some seconds. */
  async close(): Promise<void> {
    await this.#connection.close();
  }
}
