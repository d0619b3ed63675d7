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
 * The licenses of the bundled packages, sorted by name. Packages with the same text share it.
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
  const sorted = [...byTitle].sort(([one], [other]) => (one < other ? -1 : 1));
  const byText = Map.groupBy(sorted, ([, { licenseText }]) => commonTextOf(licenseText));
  const sections = [...byText].map(([text, members]) => {
    const titles = members.map(([title, { license, licenseText }]) =>
      [title, license, ...copyrightsOf(licenseText)].join("\n"),
    );
    return `${titles.join("\n\n")}\n\n${text}\n`;
  });
  return sections.join(`\n${"-".repeat(80)}\n\n`);
}

/** Names the owner. The text of a license also has lines that begin with "copyright notice", or with a point "(c)". */
const COPYRIGHT = /^\s*(?:Copyright (?:\(c\)|©|\d{4})|\(c\) \d{4}).*$/gim;

/** The text that packages with the same license share, in lines of any length. */
function commonTextOf(licenseText: string): string {
  const paragraphs = licenseText.replace(COPYRIGHT, "").split(/\n\s*\n/);
  return paragraphs
    .map((each) => each.replace(/\s+/g, " ").trim())
    .filter((each) => each !== "" && !/^(?:the )?(?:mit|isc) license(?: \(mit\))?$/i.test(each))
    .join("\n\n");
}

function copyrightsOf(licenseText: string): string[] {
  return (licenseText.match(COPYRIGHT) ?? []).map((line) => line.trim());
}

function titleOf({ name, version }: BundledPackage): string {
  return `${name} ${version}`;
}
