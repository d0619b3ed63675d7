/*
 * A hostile or careless organization that attacks for a number of seconds. The service may answer as it likes, and
 * refuse all requests.
 */
import { ATTACKS } from "./attacks.ts";

export type Attack = keyof typeof ATTACKS;

/** Sent when everything is prepared, and then with the totals. */
export interface AttackerMessage {
  readonly sent?: string;
}

const [name = "", address = "", org = "", apiKey = "", seconds = ""] = process.argv.slice(2);
const [, attack] = Object.entries(ATTACKS).find(([each]) => each === name) ?? [];
if (attack === undefined) throw new Error(`Unknown attack '${name}'`);
const tell = (message: AttackerMessage) => void process.send?.(message);

const statuses = new Map<number, number>();
const note = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
const course = await attack({ address, org, apiKey, note });
tell({});
const end = performance.now() + Number(seconds) * 1000;
await course(() => performance.now() > end);
tell({ sent: [...statuses].map(([status, count]) => `${count} × ${status || "no response"}`).join(", ") });
process.disconnect();
