import pg from "pg";

/** A client that hangs up when it cannot log in. Without this the connection stays open for as long as the server waits. */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on("error", () => this.connection.stream.destroy());
  }
}
