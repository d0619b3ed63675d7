import * as z from "zod/mini";
import type { Schema } from "../../../src/api/wire-names.ts";
import { filled, type Place, placesIn, replaced, valueAt } from "./schema-values.ts";

/** A JSON text from a malicious or faulty client. */
export interface HostileText {
  /** Its fault. */
  title: string;
  text: string | Uint8Array;
  /** Whether it must be refused; values that the schema permits may be accepted. */
  refused: boolean;
}

/** A number beyond the range of JavaScript. */
const OVERFLOWING = "1e999";
const WRONG: readonly unknown[] = [null, true, 0, -1, 1.5, Infinity, "", "\u{1F4A9} '\"<>;--", [], {}, [[]]];
/** Number of bad values tried at each position; they vary from position to position. */
const TRIED_PER_PLACE = 4;
const MEMBERS_OF_UNIONS = 3;
/** Number of invalid values that are sent; fewer valid ones, as they are stored. */
const MOST_REFUSED = 8;
const MOST_TAKEN = 2;

/** Hostile bodies for an operation, derived from the schema of its body. */
export function hostileTexts(schema: Schema, valid: unknown): HostileText[] {
  const bases = basesOf(schema, valid);
  const wrong = distinct(bases.flatMap((base) => classified(schema, misplaced(base))));
  return [
    ...spread(
      wrong.filter(({ refused }) => refused),
      MOST_REFUSED,
    ),
    ...spread(
      wrong.filter(({ refused }) => !refused),
      MOST_TAKEN,
    ),
    ...spread(unstorable(bases), 1),
    ...spread(classified(schema, overlong(bases)), 1),
  ];
}

/** Hostile input for the reader of JSON bodies, for any operation. */
export function textsForReader(schema: Schema, valid: unknown): HostileText[] {
  const bases = basesOf(schema, valid);
  return [
    ...malformed(),
    ...classified(schema, wholesale(valid)),
    ...unstorable(bases),
    ...classified(schema, overlong(bases)),
  ];
}

/** A minimal valid value, and those with every field that the schema declares. */
function basesOf(schema: Schema, valid: unknown): unknown[] {
  return [valid, ...Array.from({ length: MEMBERS_OF_UNIONS }, (_, member) => filled(schema, member))];
}

/** This many items of a list, evenly spread. */
function spread<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function malformed(): HostileText[] {
  return Object.entries({
    nothing: "",
    "white space": " \r\n\t",
    "half an object": '{"name": "x"',
    "a bare word": "undefined",
    "a trailing comma": '{"name": "x",}',
    "single quotes": "{'name': 'x'}",
    "a comment": '{"name": "x" /* y */}',
    "two values": "{}{}",
    "a raw line break in a text": '{"name": "a\nb"}',
    "a raw NUL": '{"name": "a\0b"}',
    "a broken escape": '{"name": "\\u00g0"}',
    NaN: '{"name": NaN}',
    "100,000 open brackets": "[".repeat(100_000),
    "10,000 nested lists": nested(10_000),
    "10,000 nested objects": `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    "bytes that are not UTF-8": Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
    "UTF-16": Buffer.from('{"name": "x"}', "utf16le"),
    "a surrogate encoded on its own": Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  }).map(([title, text]) => ({ title, text, refused: true }));
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

type Candidates = readonly (readonly [title: string, text: string])[];

/** Texts that are malformed as a whole, or have invalid keys. */
function wholesale(valid: unknown): Candidates {
  const fields = jsonText(valid).slice(1, -1);
  const inner = fields === "" ? '"sample": 1' : fields;
  const keys = Object.keys(typeof valid === "object" && valid !== null ? valid : {});
  return [
    ...["null", "true", "7", '"text"', "[]", "{}", "[{}]", OVERFLOWING, nested(100)].map(
      (text) => [`${text.slice(0, 20)} as the body`, text] as const,
    ),
    ...["__proto__", "constructor", "prototype", "toString", "", "\u0000", "a.b[0]"].flatMap((key) => [
      [`only the key ${JSON.stringify(key)}`, `{${JSON.stringify(key)}: {"polluted": 1}}`] as const,
      [`the key ${JSON.stringify(key)}`, `{${JSON.stringify(key)}: {"polluted": 1}, ${inner}}`] as const,
    ]),
    ...keys.map(
      (key) => [`${key} twice, the last one wrong`, `{${inner}, ${JSON.stringify(key)}: [[[]]]}`] as const,
    ),
  ];
}

/** A value of the wrong kind at each position in turn. */
function misplaced(base: unknown): Candidates {
  return placesIn(base)
    .filter((place) => place.length > 0)
    .flatMap((place, number) =>
      Array.from({ length: TRIED_PER_PLACE }, (_, i) => {
        const value = WRONG[(number * TRIED_PER_PLACE + i) % WRONG.length];
        const text = jsonText(value);
        return [`${text} as ${place.join(".")}`, jsonText(replaced(base, place, value))] as const;
      }),
    );
}

/** Texts that a database cannot store or may change: they are refused at any position. */
function unstorable([valid, full = valid]: readonly unknown[]): HostileText[] {
  return textPlaces(full).flatMap((place) =>
    ["\u0000", "a\u0000b", "a\ud800", "\udc00b"].map((value) => ({
      title: `${JSON.stringify(value)} as ${place.join(".")}`,
      text: jsonText(replaced(full, place, value)),
      refused: true,
    })),
  );
}

function overlong([valid, full = valid]: readonly unknown[]): Candidates {
  const places = textPlaces(full);
  return [
    ...places.map((place) => overlongAt(full, place, 10_000)),
    ...places.slice(0, 1).map((place) => overlongAt(full, place, 1_000_000)),
  ];
}

function overlongAt(full: unknown, place: Place, length: number) {
  const text = jsonText(replaced(full, place, "a".repeat(length)));
  return [`${length} characters as ${place.join(".")}`, text] as const;
}

function textPlaces(value: unknown): Place[] {
  return placesIn(value).filter((place) => typeof valueAt(value, place) === "string");
}

function classified(schema: Schema, candidates: Candidates): HostileText[] {
  return candidates.map(([title, text]) => {
    const { success } = z.core.safeParse(schema, JSON.parse(text));
    return { title, text, refused: !success };
  });
}

function distinct(texts: readonly HostileText[]): HostileText[] {
  return [...new Map(texts.map((text) => [text.text, text])).values()];
}

/** JSON with numbers that overflow, which `JSON.stringify` would turn into null. */
function jsonText(value: unknown): string {
  const marker = "~overflowing~";
  return JSON.stringify(value, (_, item: unknown) => (item === Infinity ? marker : item)).replaceAll(
    `"${marker}"`,
    OVERFLOWING,
  );
}
