import type { BundledPackage } from "./packages.ts";

/** Licenses that let a bundle be given on with nothing but their text. Any other needs a person to look at it. */
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
 * The licenses of the packages in the bundles, each package once, by name.
 *
 * @throws Error that lists each package whose license is not one of those accepted, or comes without its text
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
