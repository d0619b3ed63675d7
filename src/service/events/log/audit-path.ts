import { TILE_WIDTH, type TileLevels } from "../../../evidence/log/tiles.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Tables } from "../../store/tables.ts";
import { hashesOf } from "./leaves.ts";

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
    .select(["origin", "checkpoint", "signed_size as size", "log_tiles.level", "log_tiles.tile", "hashes"])
    .where("logs.org_id", "=", given("orgId")),
);

/** Number of tiles whose nodes are cached. One takes 27 kB. */
const MAX_CACHED_TILES = 256;

interface CachedTile {
  readonly hashes: string;
  readonly levels: TileLevels;
}

/** The least recently used comes first. */
const cache = new Map<string, CachedTile>();

/** The nodes of a stored tile, which are cached while its hashes are these. */
export function levelsOf({
  org_id,
  level,
  tile,
  hashes,
}: Omit<Tables["log_tiles"], "first_sequence">): TileLevels {
  const key = `${org_id} ${level} ${tile}`;
  const known = cache.get(key);
  const levels: TileLevels =
    known?.hashes === hashes ? known.levels : [hashesOf(level, Buffer.from(hashes, "base64"))];
  cache.delete(key);
  cache.set(key, { hashes, levels });
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_TILES && oldest !== undefined) cache.delete(oldest);
  return levels;
}
