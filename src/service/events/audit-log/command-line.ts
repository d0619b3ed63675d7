import { COMMAND_LINE } from "../../../api/resources/audit-log.ts";
import type { ActContext } from "../../kernel/caller.ts";

/** Whoever works on the records without the service: there is no key, no address and no request. */
export function commandLineContext(orgId: string, now: number): ActContext {
  return { orgId, accountName: COMMAND_LINE, keyId: null, address: null, requestId: null, now };
}
