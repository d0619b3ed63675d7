import type { Scene } from "./scenes.ts";

/** What a picture shows, as a file that people and tests can compare. */
export function textOf({ job, errors, markdown }: Scene): string {
  const annotations = errors.map((error) => `> ${error.replaceAll("\n", "\n> ")}\n\n`);
  return `${annotations.join("")}_${job} summary_\n\n${markdown}\n`;
}
