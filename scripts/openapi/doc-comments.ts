/*
 * Makes the doc comments of `src/api` available to programs. Modules imported with `?described` load a second copy of
 * the API core, in which each schema has the doc comment of its field or constant as its description.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";
import * as z from "zod/mini";

const MARK = "?described";
const API = new URL("../../src/api/", import.meta.url).href;

/** Doc comments of operations, in declaration order. */
const descriptions = new Map<object, string>();

/** The doc comment of an operation. */
export function descriptionOf(operation: object): string | undefined {
  return descriptions.get(operation) || undefined;
}

/** All objects with doc comments except schemas, in declaration order. */
export function describedObjects(): object[] {
  return [...descriptions.keys()];
}

/** @public Called by instrumented modules with each documented value. */
export function described<Value>(value: Value, text: string): Value {
  if (isSchema(value)) {
    // Other fields, with other comments, may share the schema.
    const copy = z.core.clone(value);
    z.globalRegistry.add(copy, { description: text });
    return copy;
  }
  if (typeof value === "object" && value !== null) descriptions.set(value, text);
  return value;
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isMarked = context.parentURL?.endsWith(MARK) && specifier.startsWith(".");
    const url = isMarked && resolved.url !== import.meta.url ? `${resolved.url}${MARK}` : resolved.url;
    return { ...resolved, url };
  },
  load(url, context, nextLoad) {
    if (!url.startsWith(API) || !url.endsWith(MARK)) return nextLoad(url, context);
    const path = fileURLToPath(url.slice(0, -MARK.length));
    return {
      format: "module-typescript",
      shortCircuit: true,
      source: withDescriptions(path, readFileSync(path, "utf8")),
    };
  },
});

/** Wraps each value with a doc comment: `key: value` becomes `key: described(value, "comment")`. */
function withDescriptions(path: string, source: string): string {
  const { program, comments } = parseSync(path, source);
  /** Comment texts by the position of the documented code. */
  const documented = new Map<number, string>();
  for (const { type, value, end } of comments) {
    if (type !== "Block" || !value.startsWith("*")) continue;
    documented.set(end + (/^\s*/.exec(source.slice(end))?.[0].length ?? 0), plainText(value));
  }
  const insertions: { at: number; text: string }[] = [];
  const wrap = (start: number, value: { start: number; end: number } | null) => {
    const text = documented.get(start);
    if (text === undefined || value === null) return;
    insertions.push({ at: value.start, text: "described(" });
    insertions.push({ at: value.end, text: `, ${JSON.stringify(text)})` });
  };
  new Visitor({
    Property: ({ start, value }) => wrap(start, value),
    ExportNamedDeclaration: ({ start, declaration }) => {
      if (declaration?.type === "VariableDeclaration") wrap(start, declaration.declarations[0]?.init ?? null);
    },
    VariableDeclaration: ({ start, declarations }) => wrap(start, declarations[0]?.init ?? null),
  }).visit(program);
  let text = source;
  for (const insertion of insertions.sort((a, b) => b.at - a.at)) {
    text = text.slice(0, insertion.at) + insertion.text + text.slice(insertion.at);
  }
  return `import { described } from ${JSON.stringify(import.meta.url)};\n${text}`;
}

/** A doc comment's text before its first tag, on one line. */
function plainText(comment: string): string {
  const lines = comment.split("\n").map((line) => line.replace(/^[\s*]+/, "").trimEnd());
  const end = lines.findIndex((line) => line.startsWith("@"));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join(" ")
    .trim();
}
