import { isObject, type Untyped } from "../../api/untyped.ts";
import { ReportFault } from "../report-fault.ts";

/*
 * What readers of scanners' own JSON share. A list that should be one and is not is a fault, because its findings would
 * be missing.
 */

/** @throws ReportFault when the value is there and is no list of objects */
export function listOf(of: Untyped, name: string): readonly Untyped[] {
  const list = of[name] ?? [];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new ReportFault(`is not whole: \`${name}\` is not a list of objects`);
}

export function textOf(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .join(": ")
    .slice(0, 1000);
}

export function lineOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
