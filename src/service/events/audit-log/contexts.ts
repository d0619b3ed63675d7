import { COMMAND_LINE, SERVICE_ITSELF } from "../../../api/resources/audit-log.ts";
import type { ActContext } from "../../kernel/caller.ts";

const WITHOUT_REQUEST = { accountId: null, keyId: null, address: null, requestId: null };

/** A change by the command line, without the service. */
export function commandLineContext(orgId: string, now: number): ActContext {
  return { ...WITHOUT_REQUEST, orgId, accountName: COMMAND_LINE, now };
}

/** A change by the service itself. */
export function serviceContext(orgId: string, now: number): ActContext {
  return { ...WITHOUT_REQUEST, orgId, accountName: SERVICE_ITSELF, now };
}
