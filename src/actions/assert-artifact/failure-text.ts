import type { Failure } from "../../api/resources/assert-failures.ts";

/** So that an annotation, which is cut at 4,096 characters, always shows where to read on. */
const MAX_TEXT = 4_000;

/** Why the gate stays shut: a heading, as many reasons as an annotation holds, and the artifact's page. */
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
