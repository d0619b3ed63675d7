import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledPackage } from "./packages.ts";

interface DescribedBundle {
  readonly name: string;
  readonly version: string;
  /** Where its files are. */
  readonly folder: string;
  /** The paths of the files that it shares with others, from the folder around its own. */
  readonly shared: readonly string[];
  readonly packages: readonly BundledPackage[];
}

const PROJECT = "delivery-evidence";

/**
 * The bill of materials of a bundle: CycloneDX 1.6 in JSON, of the files it is and the packages that are in it. The
 * same bundle has the same text: its serial number is made of what it says, and it tells no time.
 */
export function describeBundle({ name, version, folder, shared, packages }: DescribedBundle): string {
  const subject = `${PROJECT}/${name}@${version}`;
  const content = {
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      tools: { components: [{ type: "application", name: PROJECT, version }] },
      component: {
        type: "application",
        "bom-ref": subject,
        group: PROJECT,
        name,
        version,
        licenses: [{ license: { id: "MIT" } }],
        components: [...filesIn(folder), ...shared.toSorted().map((path) => file(`../${path}`, folder))],
      },
    },
    components: packages.map((bundled) => ({
      type: "library",
      "bom-ref": bundled.path,
      ...scopedName(bundled.name),
      version: bundled.version,
      hashes: [publishedDigest(bundled)],
      licenses: [{ license: { id: bundled.license } }],
      purl: `pkg:npm/${bundled.name.replace("@", "%40")}@${bundled.version}`,
    })),
    dependencies: [
      { ref: subject, dependsOn: packages.filter(({ isDirect }) => isDirect).map(({ path }) => path) },
      ...packages.map(({ path, dependsOn }) => ({ ref: path, dependsOn })),
    ],
  };
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: serialOf(JSON.stringify(content)),
    ...content,
  };
  return `${JSON.stringify(document)}\n`;
}

function filesIn(folder: string) {
  return readdirSync(folder)
    .sort()
    .map((name) => file(name, folder));
}

function file(name: string, folder: string) {
  const content = sha256(readFileSync(join(folder, name)));
  return { type: "file", name, hashes: [{ alg: "SHA-256", content }] };
}

/** CycloneDX keeps the scope of a package apart from its name. */
function scopedName(name: string): { group?: string; name: string } {
  const [scope, inner] = name.split("/");
  return inner === undefined ? { name } : { group: scope ?? "", name: inner };
}

/** @throws Error when the lockfile has another digest than npm's own */
function publishedDigest({ name, integrity }: BundledPackage): { alg: string; content: string } {
  const [, base64] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`package-lock.json has no SHA-512 of ${name}`);
  return { alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") };
}

/** A UUID of version 8, which leaves open what it is made of. */
function serialOf(content: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(content)) ?? [];
  return `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
