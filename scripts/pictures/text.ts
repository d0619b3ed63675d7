import type { Scene } from "./scenes.ts";

/** A picture's content as text, which people and tests can compare. */
export function textOf({ job, errors, markdown }: Scene): string {
  const annotations = errors.map((error) => `> ${error.replaceAll("\n", "\n> ")}\n\n`);
  return `${annotations.join("")}_${job} summary_\n\n${markdown}\n`;
}
