import pg from "pg";

/** A statement as it was sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Port of the server. */
  readonly port: number;
}

/** Records the statements of all connections to PostgreSQL from now on, until it is stopped. */
export function recordStatements() {
  const recorded: RecordedStatement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [config] = args as unknown[];
    if (typeof config === "object" && config !== null && "text" in config && "values" in config) {
      const values = Array.isArray(config.values) ? config.values : [];
      recorded.push({ text: String(config.text), values, port: this.port });
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
  return {
    recorded,
    stop() {
      pg.Client.prototype.query = query;
    },
  };
}
