import { VERSION } from "../../../api/version.ts";
import type { PageRequest } from "../page.ts";

/**
 * The part of a workflow job that uses an action of this toolkit without an API key. `inputs` are added to those of the
 * service and organization.
 */
export function workflowStep(
  action: string,
  inputs: Readonly<Record<string, string>>,
  { org, to }: PageRequest,
): string {
  const given = { "base-url": to.base, org, ...inputs };
  return [
    "permissions:",
    "  contents: read",
    "  id-token: write # needs a trust policy for the repository",
    "steps:",
    `  # FULL_COMMIT_SHA is the commit of the version that you use, such as v${VERSION}.`,
    `  - uses: delivery-evidence/toolkit/actions/${action}@FULL_COMMIT_SHA`,
    "    with:",
    ...Object.entries(given).map(([name, value]) => `      ${name}: ${scalar(value)}`),
  ].join("\n");
}

/** A text as a YAML scalar on one line, quoted as JSON unless YAML certainly reads it as text. */
function scalar(value: string): string {
  return PLAIN.test(value) ? value : JSON.stringify(value);
}

const PLAIN =
  /^(?:https?:\/\/[\w./:-]+|\$\{\{ [\w. -]+ \}\}|(?!(?:true|false|null|yes|no|on|off)$)[a-z][\w./-]*)$/i;
