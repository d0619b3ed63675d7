import { hash } from "node:crypto";
import { Unreadable, utf8 } from "./package-archive.ts";

// Values in the files of a package.

export type Say = (text: string) => void;
export type Json = Readonly<Record<string, unknown>>;

export function json(name: string, bytes: Uint8Array | undefined): Json {
  try {
    const value: unknown = JSON.parse(utf8(bytes ?? new Uint8Array()));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The same message as for JSON of another form.
  }
  throw new Unreadable(`${name} is not a JSON object`);
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function objects(list: unknown): Json[] {
  return (Array.isArray(list) ? list : []).filter((each) => typeof each === "object" && each !== null);
}

export function iso(seconds: number): string {
  return Math.abs(seconds) < 8e12 ? new Date(seconds * 1000).toISOString() : String(seconds);
}

export type LoggedEvent = { readonly index: number; readonly event: Json };

/** The name of a flow or environment after its latest event here. Undefined without any. */
export function nameIn(events: readonly LoggedEvent[], id: unknown): string | undefined {
  let name: unknown;
  for (const { event } of events) {
    const [type, data] = [String(event["type"]), Object(event["data"])];
    if (type === "trail.begun" && data.flow_id === id) name = data.flow;
    if (event["subject_id"] !== id || !/^(flow|environment)\.(created|renamed)$/.test(type)) continue;
    name = data.changes?.name?.to ?? event["subject_name"];
  }
  return name === undefined ? undefined : String(name);
}

export function provenLine(name: string, index: number, event: Json): string {
  return `proven     ${name}  index ${index}  ${iso(Number(event["at"]))}  by ${event["by"]}`;
}

/** Time by which an event may claim to be earlier than the event before it, in seconds. */
export const MAX_STEP_BACK = 300;
