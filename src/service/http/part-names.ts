import type { FilePartRule } from "../../api/operation.ts";

/** Which file part a part's name stands for, and its place among those of the same part. */
export interface PartPlace {
  part: string;
  index: number;
}

/** `attachment_file` is the part of that name; `attachment_file.0`, `attachment_file.1` … are several of them. */
export function placeOf(name: string, rules: Readonly<Record<string, FilePartRule>>): PartPlace | undefined {
  if (Object.hasOwn(rules, name)) return { part: name, index: -1 };
  const [, part, index] = /^(.+)\.(0|[1-9]\d{0,5})$/.exec(name) ?? [];
  if (part === undefined || !Object.hasOwn(rules, part) || rules[part]?.count !== "many") return undefined;
  return { part, index: Number(index) };
}
