import type { ApprovalOfCommits } from "../../../api/resources/approvals.ts";
import type { Html } from "../html.ts";
import { badge } from "./verdict.ts";

const TONES = { APPROVED: "ok", UNAPPROVED: "fail", PENDING: "warn" } as const;

/** What the last review of an approval says. */
export function approvalState(state: ApprovalOfCommits["state"]): Html {
  return badge(state, TONES[state]);
}
