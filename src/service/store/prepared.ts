import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Database } from "./tables.ts";

/** Stands in a query for a value that is given when it runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Values = Readonly<Record<string, string | number | null>>;

/**
 * A query whose SQL is made once for each kind of database: for one that every request asks, that takes longer than
 * to run it.
 *
 * @param build makes the query, with `value("name")` where a value of that name goes
 */
export function prepared<Given extends Values, Row>(
  build: (
    db: Database,
    value: <Name extends keyof Given & string>(name: Name) => RawBuilder<Given[Name]>,
  ) => { compile(): CompiledQuery<Row> },
): (db: Database, values: Given) => Promise<Row[]> {
  const made = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    const query = made.get(adapter) ?? build(db, (name) => sql`${new Placeholder(name)}`).compile();
    made.set(adapter, query);
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name] : each,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
