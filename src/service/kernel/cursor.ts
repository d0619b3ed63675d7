import type * as z from "zod/mini";
import { camelName } from "../../api/wire-names.ts";
import { invalidInput } from "./errors.ts";
import type { Query } from "./links.ts";

/** A position in a list, newest first. */
export interface Position {
  createdAt: number;
  sequence: number;
}

export function positionOf({ created_at, sequence }: { created_at: number; sequence: number }): Position {
  return { createdAt: created_at, sequence };
}

export function writeCursor({ createdAt, sequence }: Position): string {
  return joinCursor(createdAt, sequence);
}

/** @throws Invalid for anything but a text from `writeCursor` */
export function readCursor(cursor: string): Position {
  const { createdAt, which } = splitCursor(cursor, /^\d{1,15}$/);
  return { createdAt, sequence: Number(which) };
}

/** @param which distinguishes items created at the same time */
export function joinCursor(createdAt: number, which: number | string): string {
  return Buffer.from(`${createdAt}/${which}`).toString("base64url");
}

/** @throws Invalid for anything but a text from `joinCursor` with a `which` in that form */
export function splitCursor(cursor: string, form: RegExp): { createdAt: number; which: string } {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, createdAt, which] = /^(\d{1,12}(?:\.\d{1,12})?)\/(.*)$/.exec(text) ?? [];
  if (createdAt === undefined || which === undefined || !form.test(which)) {
    throw invalidInput({ "query.after": "Input should be _links.next.after of an earlier response" });
  }
  return { createdAt: Number(createdAt), which };
}

/** The query parameters of a page, under their wire names. The cursor comes last. */
export function pageQuery({ _zod }: z.core.$ZodObject, params: object): Query {
  const given = new Map(Object.entries(params));
  const names = Object.keys(_zod.def.shape).filter((name) => name !== "after");
  return Object.fromEntries([...names, "after"].map((name) => [name, given.get(camelName(name))]));
}

interface PageParams {
  readonly perPage: number;
  readonly after?: string | undefined;
}

/** @param found has one extra item if there is a next page */
export function cursorPage<Item, Params extends PageParams>(
  found: readonly Item[],
  params: Params,
  { cursorOf, address }: { cursorOf: (item: Item) => string; address: (params: Params) => string },
) {
  const page = found.slice(0, params.perPage);
  const last = page.at(-1);
  const after = last !== undefined && found.length > page.length ? cursorOf(last) : undefined;
  return {
    page,
    _links: {
      self: { href: address(params) },
      ...(after === undefined ? {} : { next: { href: address({ ...params, after }), after } }),
    },
  };
}
