import type { BundledPackage } from "./packages.ts";

/** Licenses that allow distribution with only their text. Others need a review. */
const ACCEPTED: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
];

/**
 * The licenses of the bundled packages, each once, sorted by name.
 *
 * @throws Error that lists each package whose license is not accepted, or has no text
 */
export function licensesText(packages: readonly BundledPackage[]): string {
  const byTitle = new Map(packages.map((bundled) => [titleOf(bundled), bundled]));
  const refused = [...byTitle].flatMap(([title, { license, licenseText }]) => {
    if (!ACCEPTED.includes(license)) return [`${title}: ${license || "no license"} is not accepted`];
    return licenseText === "" ? [`${title}: has no file with the text of its license`] : [];
  });
  if (refused.length > 0) throw new Error(`These packages cannot be bundled:\n${refused.join("\n")}`);
  const sections = [...byTitle]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, { license, licenseText }]) => `${title}\n${license}\n\n${licenseText}\n`);
  return sections.join(`\n${"-".repeat(80)}\n\n`);
}

function titleOf({ name, version }: BundledPackage): string {
  return `${name} ${version}`;
}
