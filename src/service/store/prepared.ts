import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { type Dialect, dialectOf } from "./dialect.ts";
import type { Database } from "./tables.ts";

/** Stands in a query for a value that is given when it runs. */
class Placeholder<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** Where a value of a name goes that is given when the query runs. */
export type Given<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

/**
 * A query whose SQL is made only once for each kind of database. That pays for a query that every request asks: making
 * its SQL takes longer than running it.
 *
 * @param build makes the query, with `given("name")` where a value of that name goes
 * @returns how to run it; it is on its way when the call returns
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
    const parameters = query.parameters.map((each) => (isPlace(each, values) ? values[each.name] : each));
    const { rows } = await db
      .getExecutor()
      .provideConnection((connection) => connection.executeQuery<Row>({ ...query, parameters }));
    return rows;
  };
}

/** What stands for a value is made here alone, for the names of the values of its query. */
function isPlace<Values>(parameter: unknown, _values: Values): parameter is Placeholder<keyof Values> {
  return parameter instanceof Placeholder;
}
