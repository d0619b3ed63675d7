import { invalidInput } from "../kernel/errors.ts";

/** A place in the list of deliveries, which is ordered from the newest. */
export interface DeliveryPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** A position as a text that callers pass back and do not read. */
export function writeDeliveryCursor({ createdAt, id }: DeliveryPosition): string {
  return Buffer.from(`${createdAt}/${id}`).toString("base64url");
}

/** @throws Invalid when it is not a text that `writeDeliveryCursor` gave */
export function readDeliveryCursor(cursor: string): DeliveryPosition {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, createdAt, id] = /^(\d{1,12}(?:\.\d{1,12})?)\/([a-f0-9-]{32})$/.exec(text) ?? [];
  if (createdAt === undefined || id === undefined) {
    throw invalidInput({ "query.after": "Input should be the cursor of an answer: its _links.next.after" });
  }
  return { createdAt: Number(createdAt), id };
}
