import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, onTestFinished, test } from "vitest";
import { BUNDLES, bundleReporter, SBOM_FILE, SHARED } from "../../../scripts/bundle.ts";
import { VERSION } from "../../../src/api/version.ts";
import { describeSbom } from "../../../src/evidence/sbom/describe-sbom.ts";

/** The committed bundles. `npm run check:current` checks that the sources produce them. */
const built = join(import.meta.dirname, "../../../dist");

test("there is a folder for each bundle, one for the shared files, the licenses, and nothing else", () => {
  expect(readdirSync(built).sort()).toEqual([...BUNDLES, SHARED, "licenses.txt"].sort());
});

const ajv = new Ajv({ strict: false, formats: { "iri-reference": true, "idn-email": true } });
addFormats.default(ajv);
for (const schema of ["spdx", "jsf-0.82"]) ajv.addSchema(officialSchema(schema));
const isValid = ajv.compile(officialSchema("bom-1.6"));

test.for(BUNDLES)("the SBOM of %s is CycloneDX 1.6 by the official schema", (name) => {
  expect([isValid(sbomOf(name)), isValid.errors]).toEqual([true, null]);
});

/** As published with the specification, under the Apache License 2.0. */
function officialSchema(name: string): object {
  return JSON.parse(readFileSync(join(import.meta.dirname, `cyclonedx-1.6/${name}.schema.json`), "utf8"));
}

test.for(BUNDLES)("our own reader parses the SBOM of %s", async (name) => {
  const { serialNumber, components } = sbomOf(name);
  expect(await describeSbom(readFileSync(join(built, name, SBOM_FILE)))).toEqual({
    format: "CycloneDX",
    serialization: "JSON",
    specVersion: "1.6",
    tools: [{ name: "delivery-evidence", version: VERSION }],
    components: components.length,
    subject: { name, version: VERSION },
    id: serialNumber,
  });
});

test.for(BUNDLES)("the SBOM of %s lists each file that it loads with its digest", (name) => {
  const own = readdirSync(join(built, name)).filter((file) => file !== SBOM_FILE);
  const files = [...own, ...sharedBy(name)];
  const digests = files.map((file) => [file, sha256(readFileSync(join(built, name, file)))]);
  const stated = sbomOf(name).metadata.component.components.map(
    ({ name, hashes }: { name: string; hashes: { content: string }[] }) => [name, hashes[0]?.content],
  );
  expect(stated.sort()).toEqual(digests.sort());
});

/** The files outside its folder that a bundle may load, according to its text. */
function sharedBy(name: string): string[] {
  const files = new Set(["index.js"]);
  for (const file of files) {
    const code = readFileSync(join(built, name, file), "utf8");
    for (const [, path = ""] of code.matchAll(/(?:from|import)\s*\(?["'`](\.\.?\/[\w./-]+)["'`]/g)) {
      files.add(relative(join(built, name), join(built, name, dirname(file), path)));
    }
  }
  files.delete("index.js");
  return [...files];
}

test.for(BUNDLES)("%s loads no other program, which would run", (name) => {
  expect(sharedBy(name).filter((file) => !file.startsWith(`../${SHARED}/`))).toEqual([]);
});

test("packages merged with others into one module are listed too", () => {
  expect(packagesIn("set-flow-action")).toEqual(expect.arrayContaining(["@actions/core", "undici", "zod"]));
  expect(packagesIn("attest")).toEqual(expect.arrayContaining(["modern-tar", "sax", "undici", "yaml"]));
  expect(packagesIn("set-flow-action")).not.toContain("hono");
});

test("the licenses are those of the bundled packages, and no others", () => {
  const text = readFileSync(join(built, "licenses.txt"), "utf8");
  const titles = [...text.matchAll(/^(@?[a-z]\S* \d+\.\d+\.\S+)$/gm)].map(([, title]) => title).sort();
  const bundled = new Set(
    BUNDLES.flatMap((name) =>
      sbomOf(name).components.map(
        ({ purl }: { purl: string }) =>
          /^pkg:npm\/(.+)@(.+)$/.exec(purl)?.slice(1).join(" ").replace("%40", "@") ?? "",
      ),
    ),
  );
  expect(titles).toEqual([...bundled].sort());
  expect(text).toContain("Copyright (c) 2025 Colin McDonnell");
  expect(text).toContain(
    "(c) You must retain, in the Source form of any Derivative Works that You distribute",
  );
});

test.for(BUNDLES)("%s starts, and reports that it got no inputs", (name) => {
  const run = spawnSync(process.execPath, [join(built, name, "index.js")], { env: {}, encoding: "utf8" });

  expect(run.stdout).toMatch(/^::error[^\n]*The variable INPUTS is not set/);
  expect(run).toMatchObject({ status: 1, stderr: "" });
});

test.for(BUNDLES)("every part of %s is reachable from its start, and each loads independently", (name) => {
  const chunks = readdirSync(join(built, name)).filter((file) => /^\d+\.index\.js$/.test(file));
  const reached = new Set<string>();
  const follow = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const code = readFileSync(join(built, name, file), "utf8");
    for (const [, id] of code.matchAll(/\.e\((?:\/\*[^*]*\*\/ ?)?(\d+)\)/g)) follow(`${id}.index.js`);
  };
  follow("index.js");
  expect([...reached].sort()).toEqual(["index.js", ...chunks].sort());
  const loadAll = "for (const file of process.argv.slice(1)) await import(file)";
  const paths = chunks.map((file) => join(built, name, file));
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", loadAll, ...paths], {
    encoding: "utf8",
    stdio: "pipe",
  });
  expect(output).toBe("");
});

function sbomOf(name: string) {
  return JSON.parse(readFileSync(join(built, name, SBOM_FILE), "utf8"));
}

function packagesIn(name: string): string[] {
  return sbomOf(name).components.map(({ group, name }: { group?: string; name: string }) =>
    group === undefined ? name : `${group}/${name}`,
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

test("the reporter is one file without code of the service", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reporter-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await bundleReporter(join(import.meta.dirname, "../../.."), folder);
  expect(readdirSync(folder).sort()).toEqual(["index.js", "licenses.txt", "package.json", SBOM_FILE].sort());
  const { components } = JSON.parse(readFileSync(join(folder, SBOM_FILE), "utf8"));
  const packages = components.map(({ name }: { name: string }) => name);
  expect(packages).toEqual(expect.arrayContaining(["prom-client", "undici", "yaml", "zod"]));
  for (const ofService of ["hono", "kysely", "pg", "jose"]) expect(packages).not.toContain(ofService);
});
