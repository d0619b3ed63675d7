import * as z from "zod/mini";
import type { Changes, State } from "../changes.ts";

/** The data of events that only the audit log shows, with the interface's names. Contains no secrets. */
export interface Act {
  readonly details?: State | undefined;
  readonly changes?: Changes | undefined;
}

type Fields = Readonly<Record<string, z.ZodMiniType>>;

export const text = z.string();
export const flag = z.boolean();
export const count = z.number();
/** Unix seconds. */
export const time = z.number();
export const texts = z.array(text);
/** sha256 in hex of content stored elsewhere. */
export const sha256 = z.string();

export const acts = z.registry();
/** Types that no projection takes, each with the reason. */
export const notProjected = z.registry<{ reason: string }>();

export const change = <Of extends z.ZodMiniType>(of: Of) => z.strictObject({ from: of, to: of });

/** Schema of an act with these details and, for each changed field, its former and new value or null. */
export function act({ details, changes }: { details?: Fields; changes?: Fields } = {}): z.ZodMiniType<Act> {
  const changed = Object.entries(changes ?? {}).map(([name, of]) => [name, change(z.nullable(of))] as const);
  return actOf({
    ...(details && { details: z.strictObject(details) }),
    ...(changes && { changes: z.partial(z.strictObject(Object.fromEntries(changed))) }),
  });
}

export function actOf(parts: { details?: z.ZodMiniType; changes?: z.ZodMiniType }): z.ZodMiniType<Act> {
  const schema: z.ZodMiniType<unknown> = z.strictObject(parts);
  // Handlers record it as any act; tests parse it with its schema.
  return (schema as z.ZodMiniType<Act>).register(acts);
}
