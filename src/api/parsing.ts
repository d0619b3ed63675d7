import type * as z from "zod/mini";

/** Message of an issue that requires an integer; by itself, the issue says only number. */
export const INTEGER_WANTED = "integer";

/** Context for parsers whose issues are described. */
export const parsing: z.core.ParseContext<z.core.$ZodIssue> = {
  error({ code, inst }) {
    if (code !== "invalid_type" || inst === undefined) return undefined;
    const { def } = inst._zod;
    return "format" in def && def.format === "safeint" ? INTEGER_WANTED : undefined;
  },
};
