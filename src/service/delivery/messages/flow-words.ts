import type { FlowNotification, NotificationType } from "../../../api/resources/notification-payload.ts";
import { oneLine } from "../../kernel/one-line.ts";

/** Events that change a result or ask for an action. The last one gives a message its title. */
const RESULTS: ReadonlySet<NotificationType> = new Set([
  "trail.compliant",
  "trail.non_compliant",
  "trail.incomplete",
  "gate.refused",
  "approval.needed",
  "approval.approved",
  "environment.non_compliant",
  "environment.compliant",
]);

export function isResult(type: NotificationType): boolean {
  return RESULTS.has(type);
}

const MOST_NAME = 40;

/** The title and the lines of a message about events of a trail. */
export function flowWords(payloads: readonly FlowNotification[], main: FlowNotification) {
  const { flow, trail } = main;
  const place = trail === undefined ? nameOf(flow.name) : `${nameOf(flow.name)} ${shortName(trail.name)}`;
  const others = payloads.length - 1;
  const more = others > 0 && !isResult(main.type) ? `, and ${others} more` : "";
  return {
    title: `${place}: ${phraseOf(main)}${more}`,
    lines: others > 0 ? payloads.map((payload) => capitalized(phraseOf(payload))) : [main.description],
  };
}

function phraseOf(payload: FlowNotification): string {
  const { type, attestation, approval, gate, reasons, description } = payload;
  const artifact = nameOf(payload.artifact?.name ?? "");
  switch (type) {
    case "trail.started":
      return "began";
    case "artifact.reported":
      return `${artifact} reported`;
    case "attestation.recorded":
      return `'${nameOf(attestation?.name ?? "")}' ${attestation?.is_compliant ? "compliant" : "non-compliant"}`;
    case "approval.recorded":
      return `approval ${approval?.number} of ${artifact}: ${approval?.state.toLowerCase()}`;
    case "approval.approved":
      return `${artifact} approved`;
    case "approval.needed":
      return `${artifact} needs approval ${approval?.number}`;
    case "trail.compliant":
      return "compliant";
    case "trail.non_compliant":
      return shortReason(reasons) ?? "non-compliant";
    case "trail.incomplete":
      return `incomplete, ${shortReason(reasons) ?? "with no further event"}`;
    case "gate.refused": {
      const to = gate?.environment ? ` for ${nameOf(gate.environment)}` : "";
      const because = shortReason(reasons);
      return `${artifact} refused${to}${because === undefined ? "" : `: ${because}`}`;
    }
    default:
      return description;
  }
}

/** The first reason, as a part of a title: `decision for control 'SOC2-CC8.1' missing`. */
export function shortReason([reason, ...others]: readonly string[]): string | undefined {
  if (reason === undefined) return undefined;
  const short = reason
    .slice(0, 400)
    .replace(/(^|: )policy '[^']*': /, "$1")
    .replace(/(^|: )the /, "$1")
    .replace(/ is (missing|non-compliant|not compliant)/, " $1");
  return others.length === 0 ? short : `${short}, and ${others.length} more`;
}

/** The start of a commit; any other name as it is. */
function shortName(name: string): string {
  return /^[0-9a-f]{40}$/.test(name) ? name.slice(0, 7) : nameOf(name);
}

export function nameOf(name: string): string {
  return oneLine(name, MOST_NAME);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
