import { hash } from "node:crypto";
import { Unreadable, utf8 } from "./package-archive.ts";

// Values in the files of a package.

export type Say = (text: string) => void;
export type Json = Readonly<Record<string, unknown>>;

/** @throws Unreadable also for keys that are there twice, because readers differ in which one counts */
export function json(name: string, bytes: Uint8Array | undefined): Json {
  const text = utf8(bytes ?? new Uint8Array());
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Unreadable(`${name} is not a JSON object`);
  // The service writes JSON in one of these forms, neither of which has room for a second key.
  if (JSON.stringify(value) === text || `${JSON.stringify(value, null, 2)}\n` === text) return { ...value };
  const twice = repeatedKey(text);
  if (twice !== undefined) throw new Unreadable(`${name} has the key ${twice} twice`);
  return { ...Object(parsed(text, exactInteger)) };
}

/** Undefined for text that is not JSON. */
function parsed(text: string, reviver?: typeof exactInteger): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** An integer beyond the exact range stays a text. */
function exactInteger(_: string, value: unknown, { source = "" }: { source?: string } = {}): unknown {
  return typeof value === "number" && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function repeatedKey(text: string): string | undefined {
  const open: Set<unknown>[] = [];
  let before = "";
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const key: unknown = JSON.parse(before);
      const keys = open.at(-1);
      if (keys?.has(key)) return before;
      keys?.add(key);
    }
    before = token;
  }
  return undefined;
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

export function finite(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Unreadable(`${name} is not a number`);
}

export function iso(seconds: number): string {
  return Math.abs(seconds) < 8e12 ? new Date(seconds * 1000).toISOString() : String(seconds);
}

export type LoggedEvent = { readonly index: number; readonly event: Json };

/** Types of events that name a flow or an environment. */
export const NAMING = /^(flow|environment)\.(created|renamed)$/;

/** The name of a flow or environment after its latest event here. Undefined without any. */
export function nameIn(events: readonly LoggedEvent[], id: unknown): string | undefined {
  let name: unknown;
  for (const { event } of events) {
    const [type, data] = [String(event["type"]), Object(event["data"])];
    if (type === "trail.begun" && data.flow_id === id) name = data.flow;
    if (event["subject_id"] !== id || !NAMING.test(type)) continue;
    name = data.changes?.name?.to ?? event["subject_name"];
  }
  return name === undefined ? undefined : String(name);
}

export function provenLine(name: string, index: number, event: Json): string {
  return `proven     ${name}  index ${index}  ${iso(Number(event["at"]))}  by ${event["by"]}`;
}

/** Time by which an event may claim to be earlier than the event before it, in seconds. */
export const MAX_STEP_BACK = 300;
