import { asObject, asText, type Untyped } from "../../api/untyped.ts";
import type { FoundRule } from "./sarif-rules.ts";

const MAX_MESSAGE_CHARACTERS = 1000;
const LINK = /\[([^\][\\]{0,500})\]\((?:\d{1,9}|https?:\/\/[^\s()]{1,2000})\)/g;

/** What a result says: its own text, else the text of its rule that it refers to, else what its rule is about. */
export function messageOf(result: Untyped, { id, rule, messageStrings }: FoundRule): string {
  const message = asObject(result["message"]);
  const key = asText(message["id"]);
  const shared = asObject(asObject(rule["messageStrings"])[key] ?? messageStrings[key]);
  const written =
    asText(message["text"]) ||
    asText(message["markdown"]) ||
    asText(shared["text"]) ||
    asText(shared["markdown"]);
  const text = withArguments(written, message["arguments"]) || aboutRule(rule) || id || "has no message";
  return text.replace(LINK, "$1").trim().slice(0, MAX_MESSAGE_CHARACTERS);
}

/** `{0}` stands for the first argument, and `{{` for a brace; without arguments a text is what it is. */
function withArguments(text: string, values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) return text;
  return text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found, index?: string) => {
    if (index === undefined) return found.charAt(0);
    const value: unknown = values[Number(index)];
    return typeof value === "string" ? value : found;
  });
}

function aboutRule(rule: Untyped): string {
  return (
    asText(asObject(rule["shortDescription"])["text"]) || asText(asObject(rule["fullDescription"])["text"])
  );
}
