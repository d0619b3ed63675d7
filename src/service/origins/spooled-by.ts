import type { RequestContext } from "../kernel/request-context.ts";

/** The shown field of a record that was replayed: the run that spooled it, as the spool says. */
export function spooledByField({ spooledBy }: Pick<RequestContext, "spooledBy">): Record<string, string> {
  return spooledBy === undefined ? {} : { spooled_by: spooledBy };
}
