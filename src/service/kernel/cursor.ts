import { invalidInput } from "./errors.ts";

/** A place in a list that is ordered from the newest. */
export interface Position {
  createdAt: number;
  sequence: number;
}

/** Where a record stands in a list that is ordered from the newest. */
export function positionOf({ created_at, sequence }: { created_at: number; sequence: number }): Position {
  return { createdAt: created_at, sequence };
}

/** A position as a text that callers pass back and do not read. */
export function writeCursor({ createdAt, sequence }: Position): string {
  return Buffer.from(`${createdAt}/${sequence}`).toString("base64url");
}

/** @throws Invalid when it is not a text that `writeCursor` gave */
export function readCursor(cursor: string): Position {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, createdAt, sequence] = /^(\d{1,12}(?:\.\d{1,12})?)\/(\d{1,15})$/.exec(text) ?? [];
  if (createdAt === undefined || sequence === undefined) {
    throw invalidInput({ "query.after": "Input should be the cursor of an answer: its _links.next.after" });
  }
  return { createdAt: Number(createdAt), sequence: Number(sequence) };
}
