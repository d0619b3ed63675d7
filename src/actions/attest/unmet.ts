import { isOfType } from "../../api/resources/attestation-type.ts";
import { type AttestationSlot, nameOfSlot, type Slot } from "../../api/resources/template-match.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { AttestResult } from "./attest-one.ts";
import { typeOf } from "./attestation-request.ts";
import { factsOf, kindOfFacts } from "./facts.ts";

/** Warns once of all unexpected records. */
export function warnOfUnmet(advice: readonly string[], { warn }: Pick<ActionContext, "warn">): void {
  const [only = ""] = advice;
  const what =
    advice.length === 1
      ? `Recorded, but ${only}.`
      : [
          `${advice.length} records match no slot of the template:`,
          ...advice.map((line) => `- ${line}`),
        ].join("\n");
  warn(`${what}\nIf that is intended, set check-template: false.`);
}

/** Why a record matches no entry of the template, and what would. */
export function adviceFor(result: AttestResult, nearest: Slot | undefined): string {
  const { values, done } = result;
  const type = values.kind === "artifact" ? undefined : typeOf(values);
  const sort = values.kind === "artifact" ? "artifact" : "attestation";
  const cause = `the template of trail '${done.trail}' lists no ${sort} '${done.name}'${ofType(type)}`;
  if (!nearest) return cause;
  if (isAtAnotherCommit(nearest, result))
    return `attestation '${done.name}' has no fingerprint, and trail '${done.trail}' has the artifact '${nearest.artifact}' only at other commits: set \`fingerprint\``;
  const requirement = `'${nameOfSlot(nearest)}'${"attestation" in nearest ? ofType(nearest.type) : ""}`;
  return `${cause}; the closest match is ${requirement}: ${changesTo(nearest, result)}`;
}

function ofType(type: string | undefined): string {
  return type === undefined || type === "*" ? "" : ` of type ${type}`;
}

/** An attestation that names the artifact counts only at the artifact's own commit. */
function isAtAnotherCommit(slot: Slot, result: AttestResult): boolean {
  if (!("attestation" in slot) || slot.artifact === undefined || result.done.fingerprint !== undefined)
    return false;
  const isTypeKnown = slot.type === "*" || typeOf(result.values) !== undefined;
  return (
    isTypeKnown && subjectChanges(slot, result).length === 0 && typeChanges(slot, result.values).length === 0
  );
}

function changesTo(slot: Slot, result: AttestResult): string {
  if (!("attestation" in slot)) return `use ${setting("name", slot.artifact)}`;
  const changes = [...subjectChanges(slot, result), ...typeChanges(slot, result.values)];
  // A fingerprint ties the attestation to the artifact's reported name.
  return changes.length > 0 ? `use ${changes.join(" and ")}` : `report the artifact as '${slot.artifact}'`;
}

function subjectChanges(slot: AttestationSlot, { values, done }: AttestResult): string[] {
  const { attestationName, targets } = values;
  const isBound = done.fingerprint !== undefined;
  const isAboutThat = slot.artifact === undefined ? targets.length === 0 : targets.includes(slot.artifact);
  const isSubjectRight = isAboutThat || (isBound && slot.artifact !== undefined);
  const changes = [];
  if (values.targetArtifacts.length > 0) {
    if (attestationName !== slot.attestation) changes.push(setting("name", slot.attestation));
    if (!isSubjectRight)
      changes.push(slot.artifact ? setting("target-artifacts", slot.artifact) : "no `target-artifacts`");
  } else if (attestationName !== slot.attestation || !isSubjectRight) {
    changes.push(setting("name", nameOfSlot(slot)));
  }
  if (isBound && slot.artifact === undefined)
    changes.push(values.artifact === undefined ? "no `fingerprint`" : "no `artifact`");
  return changes;
}

function typeChanges(slot: AttestationSlot, values: AttestResult["values"]): string[] {
  const { type } = slot;
  const own = typeOf(values);
  if (own === undefined || isOfType(own, type)) return [];
  const facts = kindOfFacts(type);
  if (facts !== undefined) {
    const isOfKind = factsOf({ ...values, record: "facts" }) === factsOf({ kind: facts, record: "facts" });
    return [
      ...(isOfKind ? [] : [setting("kind", facts)]),
      ...(values.record === "facts" ? [] : [setting("record", "facts")]),
    ];
  }
  if (values.record === "facts")
    return [setting("record", "judged"), ...typeChanges(slot, { ...values, record: "judged" })];
  if (type === "junit") return [setting("kind", "test")];
  if (isOfType("system:decision", type)) return [setting("kind", "decision")];
  if (!type.startsWith("custom:")) return [setting("kind", type)];
  const typeName = setting("type-name", type.slice("custom:".length));
  return values.kind === "custom" ? [typeName] : [setting("kind", "custom"), typeName];
}

/** An input with a value, in the form in which a command names its option. */
function setting(input: string, value: string): string {
  return `\`${input}: ${value}\``;
}
