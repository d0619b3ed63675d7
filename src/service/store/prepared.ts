import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { type Dialect, dialectOf } from "./dialect.ts";
import type { Database } from "./tables.ts";

class Placeholder<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** Marks where a named value goes, which is given when the query runs. */
export type Given<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

/**
 * Generates the SQL once for each kind of database, which takes longer than running it. The query
 * is sent when the call returns. @param build puts `given("name")` where a value goes
 */
export function prepared<Values, Row>(
  build: (db: Database, given: Given<Values>) => { compile(): CompiledQuery<Row> },
): (db: Database, values: Values) => Promise<Row[]> {
  const made = new Map<Dialect, CompiledQuery<Row>>();
  const compile = (db: Database) => build(db, (name) => sql`${new Placeholder(name)}`).compile();
  return async (db, values) => {
    const dialect = dialectOf(db);
    const query = made.get(dialect) ?? compile(db);
    made.set(dialect, query);
    const parameters = query.parameters.map((each) =>
      isPlaceholder(each, values) ? values[each.name] : each,
    );
    const { rows } = await db
      .getExecutor()
      .provideConnection((connection) => connection.executeQuery<Row>({ ...query, parameters }));
    return rows;
  };
}

/** Placeholders are created only here, for the names of their query's values. */
function isPlaceholder<Values>(parameter: unknown, _values: Values): parameter is Placeholder<keyof Values> {
  return parameter instanceof Placeholder;
}

/** Waits for all statements of a write, which run in order. @throws the first failure */
export async function together<Statements extends readonly unknown[] | []>(
  statements: Statements,
): Promise<{ -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
