import pg from "pg";

/** A statement as it was sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the statements of all connections to PostgreSQL from now on, until it is stopped. */
export function recordStatements() {
  const recorded: RecordedStatement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [config] = args as unknown[];
    if (typeof config === "object" && config !== null && "text" in config && "values" in config) {
      recorded.push({ text: String(config.text), values: Array.isArray(config.values) ? config.values : [] });
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
