import { html } from "hono/html";
import { data } from "../../parts/data.ts";
import { facts } from "../../parts/facts.ts";
import { link } from "../../parts/link.ts";
import { text } from "../../parts/text.ts";
import type { ShowKind } from "./sections.ts";

/** Something that its author says is compliant, or not. */
export const generic: ShowKind = ({ isCompliant, reportedBy }) => ({
  sentence: `reported as ${isCompliant ? "compliant" : "not compliant"} by ${reportedBy ?? "somebody"}`,
  tables: [],
});

/** Data that the rules of its type judged. */
export const custom: ShowKind = ({
  typeName,
  typeVersion,
  attestationData,
  evaluationError,
  isCompliant,
}) => ({
  sentence: evaluationError
    ? "its type could not judge it"
    : `the rules of its type say ${isCompliant ? "yes" : "no"}`,
  tables: [],
  more: html`${facts([
    ["Type", typeName ? text(`${typeName}, version ${typeVersion ?? "unknown"}`) : ""],
    ["Why there is no verdict", evaluationError ? text(evaluationError) : ""],
  ])}${data("Data that was judged", attestationData)}`,
});

/** A decision about a control. */
export const decision: ShowKind = ({ control, isCompliant, attestationData }, { to }) => ({
  sentence: `control ${control ?? "unknown"} is ${isCompliant ? "satisfied" : "not satisfied"}`,
  tables: [],
  more: html`${facts([["Control", control ? link(to.page("controls", control), control) : ""]])}${data("What was decided", attestationData)}`,
});

/** A verdict that replaces another one. */
export const override: ShowKind = ({ newComplianceStatus, isCompliant, reason }) => ({
  sentence: `overridden to ${(newComplianceStatus ?? isCompliant) ? "compliant" : "not compliant"}`,
  tables: [],
  more: html`${facts([["Reason", reason ? text(reason) : ""]])}`,
});
