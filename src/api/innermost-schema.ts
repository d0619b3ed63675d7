import type * as z from "zod/mini";

/** What a schema speaks of, without what only says that it may be left out, may be null, or stays as it is. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodTypes {
  const typed = schema as z.core.$ZodTypes;
  const { def } = typed._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return innermost(def.innerType);
    default:
      return typed;
  }
}
