import { HASH_BYTES, type NodeAt, rootOfHashes } from "../../../evidence/log/merkle.ts";
import { HALF_WIDTH, hashesOf, hashIn, nodesIn, TILE_WIDTH, type Tile } from "../../../evidence/log/tiles.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";

/** Number of events that one write adds. */
const EVENTS_AT_ONCE = 4_096;

type TileRow = Tables["log_tiles"];

/** A tile that is not full. */
export interface Edge {
  readonly row: Omit<TileRow, keyof Tile>;
  readonly hashes: Uint8Array[];
  readonly halfway: Uint8Array[];
}

/**
 * Adds the next events of an organization to its log, in the order of their numbers, which is that of their commits.
 * If another instance adds them at the same time, one of the two succeeds.
 *
 * @returns whether there may be more
 */
export async function addLeaves(store: Store, orgId: string, origin: () => string): Promise<boolean> {
  const { log, events, edges } = await store.readTogether((db) => nextLeaves(db, orgId));
  if (events.length === 0) return false;
  const tiles = tilesWith(events, orgId, log?.size ?? 0, edges);
  const grown = {
    size: (log?.size ?? 0) + events.length,
    last_sequence: events.at(-1)?.sequence ?? 0,
  };
  await store.write(
    async (db) => {
      if (!(await grow(db, { orgId, origin, from: log?.size, grown }))) return;
      await db
        .insertInto("log_tiles")
        .values(tiles)
        .onConflict((conflict) =>
          conflict.columns(["org_id", "level", "tile"]).doUpdateSet((eb) => ({
            hashes: eb.ref("excluded.hashes"),
            halfway: eb.ref("excluded.halfway"),
          })),
        )
        .execute();
    },
    { orgId, keys: [`log ${orgId}`] },
  );
  return events.length === EVENTS_AT_ONCE;
}

interface Growth {
  readonly orgId: string;
  readonly origin: () => string;
  /** Undefined for a new log. */
  readonly from: number | undefined;
  readonly grown: Pick<Tables["logs"], "size" | "last_sequence">;
}

/** @returns whether the log still had the former size */
async function grow(db: Database, { orgId, origin, from, grown }: Growth): Promise<boolean> {
  if (from !== undefined) {
    const { numUpdatedRows } = await db
      .updateTable("logs")
      .set(grown)
      .where("org_id", "=", orgId)
      .where("size", "=", from)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  const made = await db
    .insertInto("logs")
    .values({ org_id: orgId, origin: origin(), checkpoint: null, signed_size: 0, ...grown })
    .onConflict((conflict) => conflict.doNothing())
    .returning("org_id")
    .execute();
  return made.length > 0;
}

async function nextLeaves(db: Database, orgId: string) {
  const log = await findLog(db, orgId);
  const events = await db
    .selectFrom("events")
    .select(["sequence", "digest"])
    .where("org_id", "=", orgId)
    .where("sequence", ">", log?.last_sequence ?? 0)
    .orderBy("sequence")
    .limit(EVENTS_AT_ONCE)
    .execute();
  return { log, events, edges: events.length === 0 ? [] : await edgesOf(db, orgId, log?.size ?? 0) };
}

export function findLog(db: Database, orgId: string): Promise<Tables["logs"] | undefined> {
  return db.selectFrom("logs").selectAll().where("org_id", "=", orgId).executeTakeFirst();
}

/** The last tile of each level, if it is not full. */
async function edgesOf(db: Database, orgId: string, size: number): Promise<Edge[]> {
  const edges: Edge[] = [];
  for (let level = 0, width = size; width > 0; level++, width = Math.floor(width / TILE_WIDTH)) {
    if (width % TILE_WIDTH === 0) continue;
    const { hashes, halfway, ...row } = await db
      .selectFrom("log_tiles")
      .selectAll()
      .where("org_id", "=", orgId)
      .where("level", "=", level)
      .where("tile", "=", Math.floor(width / TILE_WIDTH))
      .executeTakeFirstOrThrow();
    edges[level] = { row, hashes: split(hashes), halfway: split(halfway) };
  }
  return edges;
}

/** The tiles that change when events are added to a log. Changes the edges. */
export function tilesWith(
  events: readonly { readonly sequence: number; readonly digest: string }[],
  orgId: string,
  size: number,
  edges: Edge[],
): TileRow[] {
  const full: Edge[] = [];
  const changed = new Set<number>();
  const push = (level: number, hash: Uint8Array, position: number, sequence: number): void => {
    const tile = Math.floor(position / TILE_WIDTH);
    const edge = edges[level] ?? {
      row: { org_id: orgId, level, tile, first_sequence: sequence },
      hashes: [],
      halfway: [],
    };
    edge.hashes.push(hash);
    changed.add(level);
    edges[level] = edge;
    if (edge.hashes.length % HALF_WIDTH > 0) return;
    edge.halfway.push(rootOfHashes(hashesOf(level, Buffer.concat(edge.hashes.slice(-HALF_WIDTH)))));
    if (edge.hashes.length < TILE_WIDTH) return;
    delete edges[level];
    changed.delete(level);
    full.push(edge);
    push(level + 1, rootOfHashes(Buffer.concat(edge.halfway)), tile, 0);
  };
  for (const [index, { digest, sequence }] of events.entries())
    push(0, Buffer.from(digest, "hex"), size + index, sequence);
  return [...full, ...edges.filter((_, level) => changed.has(level))].map(({ row, hashes, halfway }) => ({
    ...row,
    hashes: Buffer.concat(hashes).toString("base64"),
    halfway: Buffer.concat(halfway).toString("base64"),
  }));
}

function split(base64: string): Uint8Array[] {
  const hashes = Buffer.from(base64, "base64");
  return Array.from({ length: hashes.length / HASH_BYTES }, (_, index) => hashIn(hashes, index));
}

export async function storedTile(
  db: Database,
  orgId: string,
  level: number,
  tile: number,
): Promise<Tile | undefined> {
  const row = await db
    .selectFrom("log_tiles")
    .select(["hashes", "halfway"])
    .where("org_id", "=", orgId)
    .where("level", "=", level)
    .where("tile", "=", tile)
    .executeTakeFirst();
  return row && tileOf(row);
}

export function tileOf({ hashes, halfway }: Pick<TileRow, keyof Tile>) {
  return { hashes: Buffer.from(hashes, "base64"), halfway: Buffer.from(halfway, "base64") };
}

/** The nodes of an organization's tree. They do not change while it grows. */
export function nodesOf(db: Database, orgId: string): NodeAt {
  return nodesIn(async (level, tile) => {
    const stored = await storedTile(db, orgId, level, tile);
    if (stored === undefined)
      throw new Error(`Tile ${tile} on level ${level} of the log ${orgId} is missing`);
    return stored;
  });
}

interface Numbered {
  readonly sequence: number;
  readonly digest: string;
}

/** The positions of events in the log, in order. Events that it does not have yet are left out. */
export async function indexesOf<Event extends Numbered>(
  db: Database,
  orgId: string,
  events: readonly Event[],
): Promise<{ event: Event; index: number }[]> {
  const found: { event: Event; index: number }[] = [];
  let tile: FoundTile | undefined;
  for (const event of events.toSorted((a, b) => a.sequence - b.sequence)) {
    let within = positionIn(tile?.entries, event);
    if (within === undefined) {
      tile = await tileWith(db, orgId, event.sequence);
      within = positionIn(tile?.entries, event);
    }
    if (tile && within !== undefined) found.push({ event, index: tile.number * TILE_WIDTH + within });
  }
  return found;
}

interface FoundTile {
  readonly number: number;
  readonly entries: Buffer;
}

/** The position of an event among the entries of a tile, if it is there. */
export function positionIn(
  entries: Buffer | undefined,
  { digest }: Pick<Numbered, "digest">,
): number | undefined {
  const entry = Buffer.from(digest, "hex");
  let at = entries?.indexOf(entry) ?? -1;
  // The same bytes may also begin within an entry.
  while (entries && at >= 0 && at % HASH_BYTES !== 0) at = entries.indexOf(entry, at + 1);
  return at < 0 ? undefined : at / HASH_BYTES;
}

/** The tile that has an event, if the log has it. */
async function tileWith(db: Database, orgId: string, sequence: number): Promise<FoundTile | undefined> {
  const row = await db
    .selectFrom("log_tiles")
    .select(["tile", "hashes"])
    .where("org_id", "=", orgId)
    .where("level", "=", 0)
    .where("first_sequence", "<=", sequence)
    .orderBy("first_sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { number: row.tile, entries: Buffer.from(row.hashes, "base64") };
}
