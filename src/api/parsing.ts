import type * as z from "zod/mini";

/** Marks an issue where an integer was wanted: by itself it tells only of a number. */
export const INTEGER_WANTED = "integer";

/** To be given to the parser whose issues are to be described. */
export const parsing: z.core.ParseContext<z.core.$ZodIssue> = {
  error({ code, inst }) {
    if (code !== "invalid_type" || inst === undefined) return undefined;
    const { def } = inst._zod;
    return "format" in def && def.format === "safeint" ? INTEGER_WANTED : undefined;
  },
};
