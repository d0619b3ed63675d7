import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as z from "zod/mini";

/** A bundled package, as installed and locked. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The license in its `package.json`, usually an SPDX identifier. Empty if missing. */
  readonly license: string;
  /** Its license and notice files, concatenated. Empty if it has none. */
  readonly licenseText: string;
  /** The lockfile's digest of the published package: `sha512-…`. */
  readonly integrity: string;
  /** Its folder in the project: `node_modules/undici`. */
  readonly path: string;
  /** Paths of its dependencies that are also bundled. */
  readonly dependsOn: readonly string[];
  /** Whether it is a dependency of the project itself. */
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

/** The package folder in a file's path: the innermost one for nested packages. */
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
/** Packages published without a license file, each with a package from the same repository whose license applies. */
const LICENSED_AS: Readonly<Record<string, string>> = { "@sigstore/verify": "@sigstore/bundle" };
const LEGAL_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * The packages that contain the files, by name.
 *
 * @throws Error when a package is not the locked one
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
      throw new Error(`${path} has version ${version}, which package-lock.json does not name: run npm ci`);
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

/** Resolves a package from a folder, as Node does: there, or in an enclosing folder. */
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
