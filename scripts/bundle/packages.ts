import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as z from "zod/mini";

/** A package that is in a bundle, as it is installed and locked. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** What its `package.json` says, an SPDX identifier as a rule; empty when it says nothing. */
  readonly license: string;
  /** Its files of license and notice, one after another; empty when it has none. */
  readonly licenseText: string;
  /** The lockfile's digest of the package as it is published: `sha512-…`. */
  readonly integrity: string;
  /** Where it is, from the project's folder: `node_modules/undici`. */
  readonly path: string;
  /** The paths of the packages it says it needs, of those that are in the bundle too. */
  readonly dependsOn: readonly string[];
  /** Whether the project itself asks for it. */
  readonly isDirect: boolean;
}

const project = z.object({ dependencies: z.optional(z.record(z.string(), z.string())) });
const manifest = z.extend(project, { version: z.string(), license: z.optional(z.unknown()) });
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.optional(z.string()), integrity: z.optional(z.string()) }),
  ),
});

/** The folder of a package in the path of one of its files: the innermost, when packages lie in packages. */
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
/** Packages that are published without the file, by a package of the same repository, whose license is theirs. */
const LICENSED_AS: Readonly<Record<string, string>> = { "@sigstore/verify": "@sigstore/bundle" };
const LEGAL_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * The packages that files belong to, by name.
 *
 * @throws Error when a package is not the one that the lockfile names
 */
export function readPackages(root: string, files: readonly string[]): BundledPackage[] {
  const { packages: locked } = lockfile.parse(readJson(join(root, "package-lock.json")));
  const { dependencies: direct = {} } = project.parse(readJson(join(root, "package.json")));
  const found = new Map<string, string>();
  for (const file of files) {
    const [path, name] = PACKAGE_FOLDER.exec(relative(root, file).split(sep).join("/")) ?? [];
    if (path !== undefined && name !== undefined) found.set(path, name);
  }
  const packages = [...found].map(([path, name]) => {
    const {
      version,
      license,
      dependencies = {},
    } = manifest.parse(readJson(join(root, path, "package.json")));
    const { integrity, version: lockedVersion } = locked[path] ?? {};
    if (integrity === undefined || lockedVersion !== version) {
      throw new Error(`${path} is ${version}, and not what package-lock.json names: run npm ci`);
    }
    return {
      name,
      version,
      license: typeof license === "string" ? license : "",
      licenseText: legalText(join(root, path)) || legalTextOfNeighbour(root, name),
      integrity,
      path,
      isDirect: path === `node_modules/${name}` && name in direct,
      dependsOn: Object.keys(dependencies)
        .flatMap((dependency) => nearest(`${path}/`, dependency, found) ?? [])
        .sort(),
    };
  });
  return packages.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Where what is in a folder finds a package: beside itself, or beside a folder around it. */
function nearest(folder: string, name: string, found: ReadonlyMap<string, string>): string | undefined {
  const path = `${folder}node_modules/${name}`;
  if (found.has(path)) return path;
  if (folder === "") return undefined;
  return nearest(folder.slice(0, folder.lastIndexOf("node_modules/")), name, found);
}

function legalTextOfNeighbour(root: string, name: string): string {
  const neighbour = LICENSED_AS[name];
  return neighbour === undefined ? "" : legalText(join(root, "node_modules", neighbour));
}

function legalText(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LEGAL_FILE.test(entry.name),
  );
  return files
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n");
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
