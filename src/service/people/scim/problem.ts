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
