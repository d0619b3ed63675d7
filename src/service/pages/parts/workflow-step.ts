import { VERSION } from "../../../api/version.ts";
import type { PageRequest } from "../page.ts";

/** A workflow step that uses an action of this toolkit. `inputs` are added to those of the service and organization. */
export function workflowStep(
  action: string,
  inputs: Readonly<Record<string, string>>,
  { org, to }: PageRequest,
): string {
  const given = {
    "base-url": to.base,
    org,
    "api-key": "${{ secrets.EVIDENCE_API_KEY }}",
    ...inputs,
  };
  const lines = Object.entries(given).map(([name, value]) => `    ${name}: ${scalar(value)}`);
  return [`- uses: delivery-evidence/toolkit/actions/${action}@v${VERSION}`, "  with:", ...lines].join("\n");
}

/** A text as a YAML scalar on one line, quoted as JSON unless YAML certainly reads it as text. */
function scalar(value: string): string {
  return PLAIN.test(value) ? value : JSON.stringify(value);
}

const PLAIN =
  /^(?:https?:\/\/[\w./:-]+|\$\{\{ [\w. -]+ \}\}|(?!(?:true|false|null|yes|no|on|off)$)[a-z][\w./-]*)$/i;
