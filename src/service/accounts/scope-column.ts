import * as z from "zod/mini";
import type { Scope } from "../kernel/scope.ts";

const names = z.array(z.string());
const column = z.object({ flows: names, environments: names });

/** A scope as it is kept with a key. */
export function scopeColumn(scope: Scope): string | null {
  return scope === null ? null : JSON.stringify(scope);
}

/** @throws Error when the column holds something else: nobody gets more than was meant */
export function scopeIn(text: string | null): Scope {
  return text === null ? null : z.parse(column, JSON.parse(text));
}
