import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledPackage } from "./packages.ts";

interface DescribedBundle {
  readonly name: string;
  readonly version: string;
  /** The folder with its files. */
  readonly folder: string;
  /** Paths of the files that it shares with others, from the parent folder. */
  readonly shared: readonly string[];
  readonly packages: readonly BundledPackage[];
}

const PROJECT = "delivery-evidence";

/**
 * The bill of materials of a bundle: CycloneDX 1.6 in JSON, with its files and packages. It is
 * reproducible: the serial number is a digest of its content, and it has no timestamp.
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

/** CycloneDX separates the scope of a package from its name. */
function scopedName(name: string): { group?: string; name: string } {
  const [scope, inner] = name.split("/");
  return inner === undefined ? { name } : { group: scope ?? "", name: inner };
}

/** @throws Error when the lockfile has no SHA-512 digest */
function publishedDigest({ name, integrity }: BundledPackage): { alg: string; content: string } {
  const [, base64] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity) ?? [];
  if (base64 === undefined) throw new Error(`package-lock.json has no SHA-512 of ${name}`);
  return { alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") };
}

/** A UUID of version 8, whose content is free. */
function serialOf(content: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(content)) ?? [];
  return `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
