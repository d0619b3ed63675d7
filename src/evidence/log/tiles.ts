import { HASH_BYTES, leafHashes, type NodeAt, rootOfHashes } from "./merkle.ts";

// Tiles as in C2SP's tlog-tiles: 256 hashes each. A hash of a tile is the root of a full tile one level below.

export const TILE_WIDTH = 256;
/** Levels of the tree in one level of tiles. */
const TILE_HEIGHT = 8;
const HALF_HEIGHT = 4;
/** Number of hashes below a node that is halfway to the root of its tile. */
export const HALF_WIDTH = 16;

export interface TilePlace {
  /** Level 0 has the hashes of leaves; `entries` has the entries themselves. */
  readonly level: number | "entries";
  readonly index: number;
  /** Number of hashes; below 256 for the last tile of its level. */
  readonly width: number;
}

const PATH =
  /^(?<level>entries|\d|[1-5]\d|6[0-3])\/(?<index>(?:x\d{3}\/)*\d{3})(?:\.p\/(?<width>[1-9]\d{0,2}))?$/;

/** Parses a path after `tile/`, such as `0/x001/x234/067.p/112`. Undefined for any other text. */
export function parseTilePath(path: string): TilePlace | undefined {
  const { level = "", index = "", width } = PATH.exec(path)?.groups ?? {};
  const place = {
    level: level === "entries" ? level : Number(level),
    index: Number(index.replace(/[x/]/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  } as const;
  // Each tile has one path only.
  return level !== "" && Number.isSafeInteger(place.index) && tilePath(place) === path ? place : undefined;
}

export function tilePath({ level, index, width }: TilePlace): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  const last = groups.pop() ?? "";
  const folders = groups.map((group) => `x${group}/`).join("");
  return `${level}/${folders}${last}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** The bundle of a tile's entries, each after its length in two bytes. */
export function entryBundle(entries: Uint8Array): Uint8Array {
  const count = entries.length / HASH_BYTES;
  const bundle = Buffer.alloc(count * (2 + HASH_BYTES));
  for (let index = 0; index < count; index++) {
    const at = index * (2 + HASH_BYTES);
    bundle.writeUInt16BE(HASH_BYTES, at);
    bundle.set(entries.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES), at + 2);
  }
  return bundle;
}

export function hashIn(hashes: Uint8Array, index: number): Uint8Array {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

/** A tile with those of its nodes that are halfway to its root, so that a node takes few hashes. */
export interface Tile {
  /** On level 0 the entries, above it hashes. */
  readonly hashes: Uint8Array;
  /** One above each 16 hashes. */
  readonly halfway: Uint8Array;
}

/**
 * Reads nodes of a tree from its tiles, each tile once.
 *
 * @param tileAt returns at least the hashes of a tile that the tree of the wanted size has
 */
export function nodesIn(tileAt: (level: number, index: number) => Promise<Tile>): NodeAt {
  const tiles = new Map<string, Promise<Tile>>();
  return async (level, index) => {
    const within = level % TILE_HEIGHT;
    const tileLevel = (level - within) / TILE_HEIGHT;
    const width = TILE_WIDTH / 2 ** within;
    const tileIndex = Math.floor(index / width);
    const key = `${tileLevel}/${tileIndex}`;
    const tile = tiles.get(key) ?? tileAt(tileLevel, tileIndex);
    tiles.set(key, tile);
    const { hashes, halfway } = await tile;
    if (within >= HALF_HEIGHT) return rootOfHashes(below(halfway, within - HALF_HEIGHT, index % width));
    return rootOfHashes(hashesOf(tileLevel, below(hashes, within, index % width)));
  };
}

/** The hashes below a node, this many levels down. */
function below(hashes: Uint8Array, levels: number, index: number): Uint8Array {
  const bytes = HASH_BYTES * 2 ** levels;
  return hashes.subarray(index * bytes, (index + 1) * bytes);
}

/** The hashes of a tile as others read them. */
export function hashesOf(level: number, hashes: Uint8Array): Uint8Array {
  return level === 0 ? leafHashes(hashes) : hashes;
}
