import type { Condition, Operand, UserDataValues } from "./expression.ts";

/** The paths in user data that a condition reads. */
export function userDataPaths(condition: Condition): string[] {
  return operandsIn(condition).flatMap((operand) => (operand.kind === "user-data" ? operand.path : []));
}

function operandsIn(condition: Condition): readonly Operand[] {
  switch (condition.kind) {
    case "compare":
      return [condition.left, condition.right];
    case "in":
      return [condition.item, ...condition.list];
    case "exists":
      return condition.what.kind === "flow" ? [] : [condition.what];
    case "matches":
      return [condition.input];
    case "not":
      return operandsIn(condition.condition);
    case "and":
    case "or":
      return condition.conditions.flatMap(operandsIn);
  }
}

/** Reads the values at these paths. True and false become text, because expressions have no literals for them. */
export function userDataValues(userData: unknown, paths: readonly string[]): UserDataValues {
  const found = paths.flatMap((path) => {
    const value = path.split(".").reduce<unknown>(valueIn, userData);
    if (typeof value === "boolean") return [[path, String(value)] as const];
    if (typeof value === "string" || typeof value === "number") return [[path, value] as const];
    // A number that keeps its digits.
    return JSON.isRawJSON(value) ? [[path, Number(JSON.stringify(value))] as const] : [];
  });
  return Object.fromEntries(found);
}

function valueIn(data: unknown, key: string): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  return Object.entries(data).find(([name]) => name === key)?.[1];
}
