import { createHash } from "node:crypto";

/** Files of a policy by path, with slashes: `policy.rego`, `lib/dates.rego`. */
export type PolicyFiles = Readonly<Record<string, string>>;

const MAX_FILES = 100;
const MAX_BYTES = 1024 * 1024;
const MAX_PATH_CHARACTERS = 200;

/** Returns why the files cannot be a policy, each with the path of its file. Their syntax is not checked. */
export function policyFileProblems(files: PolicyFiles): { path: string; problem: string }[] {
  const paths = Object.keys(files);
  const bytes = paths.reduce((sum, path) => sum + Buffer.byteLength(files[path] ?? ""), 0);
  const whole =
    (paths.length === 0 && "has no file with a name that ends in .rego") ||
    (paths.length > MAX_FILES && `has ${paths.length} files; the limit is ${MAX_FILES}`) ||
    (bytes > MAX_BYTES && `has ${bytes} bytes; the limit is ${MAX_BYTES}`);
  if (whole) return [{ path: "", problem: `the policy ${whole}` }];
  const lower = paths.map((path) => path.toLowerCase());
  return paths.flatMap((path, index) => {
    const problem =
      pathProblem(path) ??
      (lower.indexOf(path.toLowerCase()) === index ? undefined : "differs from another path only by case") ??
      (lower.some((other) => path.toLowerCase().startsWith(`${other}/`))
        ? "is in a folder with the name of a file"
        : undefined) ??
      annotationProblem(files[path] ?? "");
    return problem === undefined ? [] : [{ path, problem: `the path '${path.slice(0, 100)}' ${problem}` }];
  });
}

function pathProblem(path: string): string | undefined {
  if (!path.endsWith(".rego")) return "must end in .rego";
  if (path.length > MAX_PATH_CHARACTERS) return `is longer than ${MAX_PATH_CHARACTERS} characters`;
  if (path.startsWith("/") || path.split("/").includes("..")) return "leaves the policy's folder";
  return /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(path)
    ? undefined
    : "may only have letters, digits, '_', '-' and '.', and no hidden folder or file";
}

/** The `$ref` of a schema in an annotation reads files of the machine. Escapes in its YAML could hide the schema. */
function annotationProblem(text: string): string | undefined {
  return /#\s*METADATA/.test(text) && /#.*(?:\bschemas\b|\\)/.test(text)
    ? "has annotations with 'schemas' or with backslashes, which could read files"
    : undefined;
}

/**
 * Digest that names the content of a policy: the sha256 of what `sha256sum` prints for its files, in byte order of their
 * paths.
 *
 * @returns `sha256:` and 64 hex digits
 */
export function policyDigest(files: PolicyFiles): string {
  const lines = Object.entries(fileDigests(files)).map(([path, digest]) => `${digest}  ${path}\n`);
  return `sha256:${sha256(lines.join(""))}`;
}

/** The sha256 of each file in hex, by path, in byte order of the paths. */
export function fileDigests(files: PolicyFiles): Record<string, string> {
  const sorted = Object.entries(files).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Object.fromEntries(sorted.map(([path, text]) => [path, sha256(text)]));
}

/** The sha256 of a text in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
