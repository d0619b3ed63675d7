/*
 * One organization that is hostile or clumsy for a number of seconds. What the service answers is its own affair: it may
 * well refuse all of it.
 */
import { ATTACKS } from "./attacks.ts";

export type Attack = keyof typeof ATTACKS;

/** First that all is prepared, then what was sent. */
export interface AttackerMessage {
  readonly sent?: string;
}

const [name = "", address = "", org = "", apiKey = "", seconds = ""] = process.argv.slice(2);
const [, attack] = Object.entries(ATTACKS).find(([each]) => each === name) ?? [];
if (attack === undefined) throw new Error(`There is no attack '${name}'`);
const tell = (message: AttackerMessage) => void process.send?.(message);

const statuses = new Map<number, number>();
const note = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
const course = await attack({ address, org, apiKey, note });
tell({});
const end = performance.now() + Number(seconds) * 1000;
await course(() => performance.now() > end);
tell({ sent: [...statuses].map(([status, count]) => `${count} × ${status || "no answer"}`).join(", ") });
process.disconnect();
