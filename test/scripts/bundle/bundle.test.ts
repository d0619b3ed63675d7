import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { differences } from "../../../scripts/bundle/differences.ts";
import { licensesText } from "../../../scripts/bundle/licenses.ts";
import { type BundledPackage, readPackages } from "../../../scripts/bundle/packages.ts";
import { describeBundle } from "../../../scripts/bundle/sbom.ts";
import { split } from "../../../scripts/bundle/split.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "evidence-bundle-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: unknown): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const undici: BundledPackage = {
  name: "undici",
  version: "8.1.2",
  license: "MIT",
  licenseText: "MIT License\n\nCopyright (c) Somebody",
  integrity: `sha512-${"A".repeat(86)}==`,
  path: "node_modules/undici",
  dependsOn: [],
  isDirect: true,
};

describe("a program is not bundled when", () => {
  test.each([
    ["it imports a package that is not installed", 'import { a } from "absent"; console.log(a);', "absent"],
    ["it imports a missing file only later", 'if (process.argv[2]) await import("./gone.js");', "./gone.js"],
    ["it requires a missing package and catches the failure", 'try { require("gone"); } catch {}', "gone"],
  ])("%s", async (_, source, missing) => {
    put("package.json", { type: source.includes("require") ? "commonjs" : "module" });
    const program = put("program.js", source);

    await expect(split(root, { program })).rejects.toThrow(
      `This cannot be bundled:\n${program} imports '${missing}', which is not found`,
    );
  });

  test("a package in it imports a missing one", async () => {
    put("node_modules/old/package.json", { name: "old", version: "1.0.0", main: "index.js" });
    const importer = put("node_modules/old/index.js", 'exports.b = require("esm-only/inner");');
    const program = put("program.mjs", 'import { b } from "old"; console.log(b);');

    await expect(split(root, { program })).rejects.toThrow(
      `${importer} imports 'esm-only/inner', which is not found`,
    );
  });
});

test("the parts are the same whatever the working directory is", async () => {
  put("package.json", { type: "module" });
  put("inner/part.js", "export const part = 1;");
  const program = put("program.js", 'const { part } = await import("./inner/part.js"); console.log(part);');
  const before = process.cwd();
  const here = await split(root, { program });
  try {
    process.chdir(join(root, "inner"));
    expect(await split(root, { program })).toEqual(here);
  } finally {
    process.chdir(before);
  }
  expect(here.map(({ path }) => path)).toEqual([
    "program.js",
    "shared/part.js",
    "shared/rolldown-runtime.js",
  ]);
});

describe("the parts of programs", () => {
  const filesByPart = async (...given: [Record<string, string>, Record<string, string>?]) => {
    const [programs, together = {}] = given;
    const parts = await split(root, programs, { together });
    return Object.fromEntries(parts.map(({ path, files }) => [path, files]));
  };

  test("contain the code they use, and none that no program uses", async () => {
    put("package.json", { type: "module" });
    for (const name of ["joined", "unused"]) {
      put(`node_modules/${name}/package.json`, { type: "module", main: "index.js", sideEffects: false });
      put(`node_modules/${name}/index.js`, `export const ${name} = "${name}";`);
    }
    const program = put(
      "program.js",
      'import { joined } from "joined"; import { unused } from "unused"; console.log(joined);',
    );

    expect(await filesByPart({ program })).toEqual({
      "program.js": [join(root, "node_modules/joined/index.js"), program],
    });
  });

  test("share common code, separate code that is loaded later, and merge configured modules", async () => {
    put("package.json", { type: "module" });
    const [both, later, own, other] = ["both", "later", "own", "other"].map((name) =>
      put(`${name}.js`, `export const ${name} = process.argv; console.log("${name}");`),
    );
    const start = 'import "./both.js"; if (process.argv[2]) await import("./later.js");';
    const one = put("one.js", `${start} import "./own.js";`);
    const two = put("two.js", `${start} import "./other.js";`);

    expect(await filesByPart({ one, two }, { core: one })).toEqual({
      "one.js": [one],
      "two.js": [other, two],
      "shared/core.js": [both, own],
      "shared/later.js": [later],
      "shared/rolldown-runtime.js": [],
    });
  });

  test("contain the replacement of a replaced module", async () => {
    put("package.json", { type: "module" });
    const program = put("program.js", 'import { a } from "large"; console.log(a);');
    const small = put("small.js", "export const a = process.pid;");

    const replace = (id: string, importer: string) =>
      id === "large" && importer === program ? small : undefined;
    const [part] = await split(root, { program }, { replace });
    expect(part?.files).toEqual([small, program]);
  });
});

describe("dist is not current when", () => {
  const files = { "attest/index.js": "1", "shared/core.js": "2", "attest/package.json": "{}" };
  const stale = (changes: Record<string, string | undefined>) => {
    for (const [path, text] of Object.entries(files)) put(`fresh/${path}`, text);
    for (const [path, text] of Object.entries({ ...files, ...changes })) {
      if (text !== undefined) put(`dist/${path}`, text);
    }
    return differences(join(root, "dist"), join(root, "fresh"));
  };

  test.each([
    ["a byte of a file differs", { "attest/index.js": "0" }, "attest/index.js"],
    ["a part of a bundle is not committed", { "shared/core.js": undefined }, "shared/core.js"],
    ["a bundle's package.json is not committed", { "attest/package.json": undefined }, "attest/package.json"],
    ["a part of an earlier build remains", { "shared/old.js": "old" }, "shared/old.js"],
    ["a file is empty", { "shared/core.js": "" }, "shared/core.js"],
  ])("%s", (_, changes, path) => {
    expect(stale(changes)).toEqual([path]);
  });

  test("and only then", () => {
    expect(stale({})).toEqual([]);
  });
});

describe("the packages of a bundle", () => {
  const integrity = undici.integrity;

  test("are those that contain its files, the innermost for nested packages", () => {
    put("package.json", { dependencies: { outer: "1.0.0" } });
    put("package-lock.json", {
      packages: {
        "": {},
        "node_modules/outer": { version: "1.0.0", integrity },
        "node_modules/outer/node_modules/@some/inner": { version: "2.0.0", integrity },
        "node_modules/@some/inner": { version: "1.5.0", integrity },
        "node_modules/unused": { version: "1.0.0", integrity },
      },
    });
    put("node_modules/outer/package.json", {
      version: "1.0.0",
      license: "MIT",
      dependencies: { "@some/inner": "^2.0.0", unused: "*" },
    });
    put("node_modules/outer/LICENSE.md", "Outer's license\r\n");
    put("node_modules/outer/NOTICE", "Outer's notice\n");
    put("node_modules/outer/node_modules/@some/inner/package.json", { version: "2.0.0", license: "ISC" });
    put("node_modules/@some/inner/package.json", { version: "1.5.0", license: { type: "MIT" } });

    const packages = readPackages(root, [
      join(root, "lib/actions/attest.js"),
      join(root, "node_modules/outer/lib/deep/index.js"),
      join(root, "node_modules/outer/node_modules/@some/inner/index.js"),
      join(root, "node_modules/@some/inner/index.js"),
    ]);

    const plain = { licenseText: "", integrity, dependsOn: [], isDirect: false };
    expect(packages).toEqual([
      { ...plain, name: "@some/inner", version: "1.5.0", license: "", path: "node_modules/@some/inner" },
      {
        name: "outer",
        version: "1.0.0",
        license: "MIT",
        licenseText: "Outer's license\n\nOuter's notice",
        integrity,
        path: "node_modules/outer",
        dependsOn: ["node_modules/outer/node_modules/@some/inner"],
        isDirect: true,
      },
      {
        ...plain,
        name: "@some/inner",
        version: "2.0.0",
        license: "ISC",
        path: "node_modules/outer/node_modules/@some/inner",
      },
    ]);
  });

  test.each([
    ["of another version than the lockfile's", { version: "8.0.0", integrity }],
    ["without a digest in the lockfile", { version: "8.1.2" }],
    ["missing from the lockfile", undefined],
  ])("are not bundled when there is one %s", (_, locked) => {
    put("package.json", {});
    put("package-lock.json", { packages: { ...(locked && { "node_modules/undici": locked }) } });
    put("node_modules/undici/package.json", { version: "8.1.2", license: "MIT" });

    expect(() => readPackages(root, [join(root, "node_modules/undici/index.js")])).toThrow(
      "node_modules/undici has version 8.1.2, which package-lock.json does not name: run npm ci",
    );
  });
});

describe("a license", () => {
  test("is listed once for each version of a package, by name", () => {
    const zod = { ...undici, name: "zod", version: "4.0.0" };
    const older = { ...undici, version: "7.0.0", path: "node_modules/zod/node_modules/undici" };

    const titles = licensesText([zod, undici, older, undici]).match(/^\S+ \d+\.\d+\.\d+$/gm);
    expect(titles).toEqual(["undici 7.0.0", "undici 8.1.2", "zod 4.0.0"]);
  });

  test.each([
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "LGPL-2.1",
    "SEE LICENSE IN EULA",
    "UNLICENSED",
    "(MIT OR GPL-2.0)",
    "",
  ])("'%s' fails the build, with the name of the package", (license) => {
    expect(() => licensesText([undici, { ...undici, name: "new", license }])).toThrow(
      `These packages cannot be bundled:\nnew 8.1.2: ${license || "no license"} is not accepted`,
    );
  });

  test("without its text fails the build, because all accepted licenses require it", () => {
    expect(() => licensesText([{ ...undici, licenseText: "" }])).toThrow(
      "undici 8.1.2: has no file with the text of its license",
    );
  });
});

describe("an SBOM", () => {
  const described = (packages: readonly BundledPackage[]) => {
    put("bundle/index.js", "the program");
    put("shared/core.js", "what it shares");
    const folder = join(root, "bundle");
    return describeBundle({ name: "attest", version: "1.2.3", folder, shared: ["shared/core.js"], packages });
  };

  test("lists the files of the bundle, and those shared with others", () => {
    const { components } = JSON.parse(described([])).metadata.component;
    const digest = createHash("sha256").update("what it shares").digest("hex");
    expect(components.map(({ name }: { name: string }) => name)).toEqual(["index.js", "../shared/core.js"]);
    expect(components[1].hashes).toEqual([{ alg: "SHA-256", content: digest }]);
  });

  test("identifies a package by its purl, with a separate scope, its license and its published digest", () => {
    const core = {
      ...undici,
      name: "@actions/core",
      version: "3.0.1",
      dependsOn: [undici.path],
      path: "node_modules/@actions/core",
    };
    const { components, dependencies } = JSON.parse(described([core, { ...undici, isDirect: false }]));

    expect(components[0]).toEqual({
      type: "library",
      "bom-ref": "node_modules/@actions/core",
      group: "@actions",
      name: "core",
      version: "3.0.1",
      hashes: [{ alg: "SHA-512", content: "0".repeat(128) }],
      licenses: [{ license: { id: "MIT" } }],
      purl: "pkg:npm/%40actions/core@3.0.1",
    });
    expect(dependencies).toEqual([
      { ref: "delivery-evidence/attest@1.2.3", dependsOn: ["node_modules/@actions/core"] },
      { ref: "node_modules/@actions/core", dependsOn: ["node_modules/undici"] },
      { ref: "node_modules/undici", dependsOn: [] },
    ]);
  });

  test("has the same serial number for the same content, and another for other content", () => {
    const serial = (packages: readonly BundledPackage[]) => JSON.parse(described(packages)).serialNumber;

    expect(described([undici])).toBe(described([undici]));
    expect(serial([undici])).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(serial([undici])).not.toBe(serial([{ ...undici, version: "8.1.3" }]));
  });

  test("is not written with a weaker digest than npm provides", () => {
    expect(() => described([{ ...undici, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }])).toThrow(
      "package-lock.json has no SHA-512 of undici",
    );
  });
});
