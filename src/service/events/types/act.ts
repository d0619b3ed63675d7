import * as z from "zod/mini";

/** The data of events that only the audit log shows, in wire names. Contains no secrets. */
export const act = z.object({
  details: z.optional(z.record(z.string(), z.unknown())),
  changes: z.optional(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
});
