import type { Failure } from "../../api/resources/assert-failures.ts";

/** An annotation is cut at 4,096 characters; the link at the end must stay. */
const MAX_TEXT = 4_000;

/** A heading, as many reasons as fit into an annotation, and the artifact's page. */
export function failureText(heading: string, failures: readonly Failure[], page: string | undefined): string {
  const end = page === undefined ? [] : [`The artifact's page: ${page}`];
  const reasons = failures.map(({ text }) => `- ${text}`);
  const whole = [heading, ...reasons, ...end].join("\n");
  if (whole.length <= MAX_TEXT) return whole;
  let room = MAX_TEXT - [heading, further(reasons.length), ...end].join("\n").length;
  const fits = reasons.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  const shown = fits < 0 ? reasons : reasons.slice(0, fits);
  return [heading, ...shown, further(reasons.length - shown.length), ...end].join("\n");
}

function further(count: number): string {
  return `… and ${count} more`;
}
