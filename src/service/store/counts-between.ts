import { type Expression, type RawBuilder, sql } from "kysely";
import { listedJson, listedNumbersJson } from "./dialect.ts";
import type { Database } from "./tables.ts";

interface Counted<Name> {
  start: number;
  end: number;
  name: Name;
  count: number;
}

/** JSON arrays of a prepared statement. */
interface Places {
  limits: RawBuilder<string>;
  names: RawBuilder<string>;
}

/** Columns that limit what is counted. */
export interface Place<Name> {
  start: RawBuilder<number>;
  end: RawBuilder<number>;
  name: RawBuilder<Name>;
}

/**
 * Counts what has each of the names, between neighboring limits, which are integers. One statement fits any number.
 *
 * @param count a query that counts what is at a place, in an index
 */
export function countsBetween<Name extends string>(
  db: Database,
  { limits, names }: Places,
  count: (place: Place<Name>) => Expression<object>,
) {
  const place = {
    start: sql<number>`places.start`,
    end: sql<number>`places."end"`,
    name: sql<Name>`kinds.name`,
  };
  return {
    compile: () =>
      sql<Counted<Name>>`with moments (start) as ${listedNumbersJson(limits)},
        places as (select start, lead(start) over (order by start) as "end" from moments),
        kinds (name) as ${listedJson(names)}
      select places.start, places."end", kinds.name, ${count(place)} as count
        from places cross join kinds where places."end" is not null`.compile(db),
  };
}
