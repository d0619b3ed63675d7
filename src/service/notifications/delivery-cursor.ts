import { joinCursor, splitCursor } from "../kernel/cursor.ts";

/** A place in the list of deliveries, which is ordered from the newest. */
export interface DeliveryPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** A position as a text that callers pass back and do not read. */
export function writeDeliveryCursor({ createdAt, id }: DeliveryPosition): string {
  return joinCursor(createdAt, id);
}

/** @throws Invalid when it is not a text that `writeDeliveryCursor` gave */
export function readDeliveryCursor(cursor: string): DeliveryPosition {
  const { createdAt, which } = splitCursor(cursor, /^[a-f0-9-]{32}$/);
  return { createdAt, id: which };
}
