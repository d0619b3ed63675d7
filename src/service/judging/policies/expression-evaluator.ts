import type { Comparison, Condition, ExpressionScope, Operand } from "./expression.ts";

type Value = string | number | null;
type Facts = Pick<ExpressionScope, "flow" | "artifact" | "origin" | "userData">;

/** Evaluates a parsed condition. Never throws. */
export function isTrue(condition: Condition, scope: ExpressionScope): boolean {
  switch (condition.kind) {
    case "compare":
      return compare(condition.by, valueIn(condition.left, scope), valueIn(condition.right, scope));
    case "in": {
      const item = valueIn(condition.item, scope);
      return condition.list.some((each) => compare("==", item, valueIn(each, scope)));
    }
    case "exists":
      return condition.what.kind === "flow" ? scope.flow !== null : valueIn(condition.what, scope) !== null;
    case "matches": {
      const text = textIn(condition.input, scope);
      return text !== null && scope.isFound(condition.pattern, text);
    }
    case "not":
      return !isTrue(condition.condition, scope);
    case "and":
      return condition.conditions.every((each) => isTrue(each, scope));
    case "or":
      return condition.conditions.some((each) => isTrue(each, scope));
  }
}

/** The text of an operand; null if the scope has no value. */
export function textIn(operand: Operand, scope: Facts): string | null {
  const value = valueIn(operand, scope);
  return value === null ? null : String(value);
}

function valueIn(operand: Operand, { flow, artifact, origin, userData = {} }: Facts): Value {
  switch (operand.kind) {
    case "text":
    case "number":
      return operand.value;
    case "tag":
      return flow && Object.hasOwn(flow.tags, operand.key) ? (flow.tags[operand.key] ?? null) : null;
    case "claim":
      return claimed(origin?.claims, operand.key);
    case "user-data":
      return Object.hasOwn(userData, operand.path) ? (userData[operand.path] ?? null) : null;
    case "context":
      switch (operand.name) {
        case "flow.name":
          return flow?.name ?? null;
        case "artifact.name":
          return artifact.name;
        case "artifact.fingerprint":
          return artifact.fingerprint;
        case "origin":
          return origin?.state ?? null;
      }
  }
}

/** A claim. GitHub's claims are texts. Lists and objects of other issuers are null. */
function claimed(claims: Readonly<Record<string, unknown>> = {}, key: string): Value {
  const value = Object.hasOwn(claims, key) ? claims[key] : null;
  switch (typeof value) {
    case "string":
    case "number":
      return value;
    case "boolean":
      return String(value);
    default:
      return null;
  }
}

/** Compares two values. Null equals only null and has no order. Text is converted to compare it with a number. */
function compare(by: Comparison, left: Value, right: Value): boolean {
  if (left === null && right === null) return by === "==";
  if (typeof left === "string" && typeof right === "string") return ordered(by, left, right);
  return ordered(by, asNumber(left), asNumber(right));
}

function ordered<T extends string | number>(by: Comparison, left: T, right: T): boolean {
  switch (by) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    case ">=":
      return left >= right;
  }
}

/** Returns NaN for text that is not a number. NaN equals nothing and has no order. */
function asNumber(value: Value): number {
  if (typeof value === "number") return value;
  return /^\s*-?\d+(\.\d+)?\s*$/.test(value ?? "") ? Number(value) : Number.NaN;
}
