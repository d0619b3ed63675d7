import type { Access, OperationShape } from "../../api/operation.ts";
import { OWN_KEY } from "../../api/resources/api-keys.ts";
import type { Caller } from "./caller.ts";
import { Forbidden } from "./errors.ts";
import type { Role } from "./roles.ts";
import { mayTouch, type Named } from "./scope.ts";

const ALLOWED: Readonly<Record<Exclude<Access, "anyone">, readonly Role[]>> = {
  read: ["admin", "member", "attester", "approver", "snapshotter", "auditor", "reader"],
  attest: ["admin", "member", "attester"],
  approve: ["admin", "member", "approver"],
  write: ["admin", "member"],
  report: ["admin", "member", "snapshotter"],
  audit: ["admin", "auditor"],
  "manage accounts": ["admin", "member", "snapshotter"],
  administer: ["admin"],
};

export function isAllowed(role: Role, access: Access): boolean {
  return access === "anyone" || ALLOWED[access].includes(role);
}

/** Whether a role may do all that another may. */
export function covers(role: Role, other: Role): boolean {
  return Object.values(ALLOWED).every((roles) => !roles.includes(other) || roles.includes(role));
}

/** What tells who may call an operation. */
type Called = Pick<OperationShape, "access" | "path" | "name" | "forOwnKey">;
type Calling = Pick<Caller, "role" | "scope" | "workflow" | "keyId" | "mayRotateItself">;

/**
 * Whether somebody may call an operation, and with what the request names. All that is asked who may do what is asked
 * here: of keys, of workflows and of who is signed in alike.
 */
export function may(caller: Calling, operation: Called, named: Named): boolean {
  if (caller.workflow !== undefined && isLasting(operation)) return false;
  if (operation.forOwnKey && rotatesItself(caller, named.keyId)) return true;
  return isAllowed(caller.role, operation.access) && mayTouch(caller.scope, operation, named);
}

/** Workflows make nothing that gives access or sends data after their token ends, and get no secret of it. */
const LASTING = [
  "/service-accounts/",
  "/share-links/",
  "/actions/",
  "/organizations/{org}/environments_notifications",
];

function isLasting({ path, access }: Called): boolean {
  return access !== "read" && LASTING.some((start) => path.startsWith(start));
}

/** Whether a key that may rotate itself is about to. */
export function rotatesItself(
  { keyId, mayRotateItself = false }: Pick<Calling, "keyId" | "mayRotateItself">,
  named: string | undefined,
): boolean {
  return mayRotateItself && (named === OWN_KEY || named === keyId);
}

/**
 * Refuses what somebody may not do, whether what the request names is there or not.
 *
 * @throws Forbidden
 */
export function requireRight(...asked: Parameters<typeof may>): void {
  if (!may(...asked)) throw new Forbidden();
}
