import { TILE_WIDTH } from "../../../evidence/log/tiles.ts";
import { type Given, prepared } from "../../store/prepared.ts";

/**
 * The latest checkpoint, with the tiles from an event to its root: on each level the one above the event, and the last
 * one. One query, so that the tiles are of the same log even if it is replaced meanwhile.
 */
export const selectAuditPath = prepared((db, given: Given<{ orgId: string; sequence: number }>) =>
  db
    .withRecursive("path(level, tile, last)", (query) =>
      query
        .selectFrom("logs")
        .select((eb) => [
          eb.lit(0).as("level"),
          eb
            .selectFrom("log_tiles")
            .select("tile")
            .whereRef("log_tiles.org_id", "=", "logs.org_id")
            .where("level", "=", 0)
            .where("first_sequence", "<=", given("sequence"))
            .orderBy("first_sequence", "desc")
            .limit(1)
            .as("tile"),
          eb("signed_size", "/", eb.lit(TILE_WIDTH)).as("last"),
        ])
        .where("org_id", "=", given("orgId"))
        .unionAll(
          query
            .selectFrom("path")
            .select((eb) => [
              eb("level", "+", eb.lit(1)).as("level"),
              eb("tile", "/", eb.lit(TILE_WIDTH)).as("tile"),
              eb("last", "/", eb.lit(TILE_WIDTH)).as("last"),
            ])
            .where("last", ">", 0),
        ),
    )
    .selectFrom("logs")
    .innerJoin("path", (join) => join.onTrue())
    .leftJoin("log_tiles", (join) =>
      join
        .onRef("log_tiles.org_id", "=", "logs.org_id")
        .onRef("log_tiles.level", "=", "path.level")
        .on(({ eb, or, ref }) =>
          or([eb("log_tiles.tile", "=", ref("path.tile")), eb("log_tiles.tile", "=", ref("path.last"))]),
        ),
    )
    .select(["origin", "checkpoint", "signed_size as size", "log_tiles.level", "log_tiles.tile"])
    .select(["hashes", "halfway"])
    .where("logs.org_id", "=", given("orgId")),
);
