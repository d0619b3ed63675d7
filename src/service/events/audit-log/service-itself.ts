import { SERVICE_ITSELF } from "../../../api/resources/audit-log.ts";
import type { ActContext } from "../../kernel/caller.ts";

/** What the service does by itself: there is no key, no address and no request. */
export function serviceContext(orgId: string, now: number): ActContext {
  return { orgId, accountName: SERVICE_ITSELF, keyId: null, address: null, requestId: null, now };
}
