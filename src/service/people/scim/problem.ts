import { Refusal } from "../../kernel/errors.ts";

/** Reason of an error, in the words of RFC 7644. */
export type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "noTarget"
  | "uniqueness";

/** A SCIM request that is refused. */
export class ScimProblem extends Refusal {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super("scim.refused", detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export function invalid(scimType: ScimType, detail: string): ScimProblem {
  return new ScimProblem(400, detail, scimType);
}

/** Maximum size of the attributes of a resource, in bytes. */
const MOST_BYTES = 64 * 1024;

/** @throws ScimProblem 413 for attributes that no resource can have */
export function requireSmall(attributes: string): void {
  if (Buffer.byteLength(attributes) > MOST_BYTES)
    throw new ScimProblem(413, `The resource is larger than the limit of ${MOST_BYTES / 1024} KB`);
}
