import { html } from "hono/html";
import { data } from "../../parts/data.ts";
import { facts } from "../../parts/facts.ts";
import { link } from "../../parts/link.ts";
import { text } from "../../parts/text.ts";
import type { ShowKind } from "../kind.ts";
import { failedTests } from "./failed-tests.ts";

/** Something that its author says is compliant, or not. */
export const generic: ShowKind = (record, { here }) => ({
  sentence: `reported as ${record.isCompliant ? "compliant" : "not compliant"} by ${record.reportedBy ?? "somebody"}`,
  tables: failedTests(record, { here }),
});

/** A decision about a control. */
export const decision: ShowKind = ({ control, isCompliant, attestationData }, { to, may }) => ({
  sentence: control
    ? `control ${control} ${isCompliant ? "passed" : "did not pass"}`
    : `decided as ${isCompliant ? "compliant" : "not compliant"}`,
  tables: [],
  more: html`${facts([["Control", !control ? "" : may("getControl") ? link(to.page("controls", control), control) : text(control)]])}${data("What was decided", attestationData)}`,
});

/** A verdict that replaces another one, of whatever type that is. */
export const override: ShowKind = ({ newComplianceStatus, isCompliant, reason, reportedBy }) => ({
  sentence: `overridden to ${(newComplianceStatus ?? isCompliant) ? "compliant" : "not compliant"} by ${reportedBy ?? "somebody"}`,
  tables: [],
  more: html`${facts([["Reason", reason ? text(reason) : ""]])}`,
});
