import type { Deployment } from "../../../api/resources/deployments.ts";
import { personName } from "../../kernel/person-name.ts";
import { commaList, type Html, html, text } from "../parts/html.ts";
import { badge } from "../parts/verdict.ts";

/* Reviewers and approvers of a deployment. */

export function reviewOf({ review, reviewedBy, hasProvenance }: Deployment): Html {
  if (!hasProvenance) return html`unknown origin`;
  if (review === "unreviewed") return badge("Not reviewed", "warn");
  if (review === "unknown") return html`review unknown`;
  return html`reviewed by ${commaList(reviewedBy.map((name) => text(personName(name))))}`;
}

export function approvalsOf({ approvedBy }: Deployment): Html {
  if (approvedBy.length === 0) return html`not approved`;
  return html`approved by ${commaList(approvedBy.map((name) => text(personName(name))))}`;
}
