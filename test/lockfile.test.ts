import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { describe, expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const { packages }: { packages: Record<string, Locked> } = readJson("package-lock.json");
const installed = Object.entries(packages).filter(([path]) => path !== "");
const project = readJson("package.json");

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

test("a build needs the install script of Node's package, and no other package has an install script that runs", () => {
  const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  const refused = scripts.map((path) => path.replace("node_modules/", "")).filter((name) => name !== "node");
  expect(scripts).toContain("node_modules/node");
  expect(project.allowScripts).toEqual({
    node: true,
    ...Object.fromEntries(refused.map((name) => [name, false])),
  });
});

test("every package is locked by the SHA-512 of its published file, whatever its source", () => {
  expect(installed.length).toBeGreaterThan(100);
  const loose = installed.filter(
    ([, { integrity = "", resolved, link }]) =>
      !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) || resolved !== undefined || link === true,
  );
  expect(loose).toEqual([]);
});

test("no dependency is a repository, an address or a folder, and all direct ones are pinned", () => {
  const ranges = installed.flatMap(([path, { dependencies = {} }]) =>
    Object.entries(dependencies).map(([name, range]) => `${path} asks for ${name}: ${range}`),
  );
  expect(ranges.filter((line) => /: .*(?:[/\\]|git|https?:|file:)/.test(line))).toEqual([]);
  const own = { ...project.dependencies, ...project.devDependencies };
  for (const [name, version] of Object.entries(own)) {
    // One package calls all its versions beta.
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-beta\.\d+)?$/);
    expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
});

/** The lowest version of each alternative of a range: `22.22.2` and `24.15.0` for `^22.22.2 || ^24.15.0`. */
function lowest(range: string): string[] {
  return range.match(/\d+\.\d+\.\d+/g) ?? [];
}

/** Whether a range has a version. Understands what the packages use: `^22.1.0`, `>= 14.6`, `20`, and `||` between them. */
function allows(range: string, version: string): boolean {
  return range.split("||").some((alternative) => {
    const [, sign, from = ""] = /^\s*(\^|>=|)\s*([\d.]+)/.exec(alternative) ?? [];
    const isNewer = from.localeCompare(version, "en", { numeric: true }) <= 0;
    return isNewer && (sign === ">=" || Number.parseInt(from, 10) === Number.parseInt(version, 10));
  });
}

test("every version of Node that the package supports is supported by the packages that it needs", () => {
  const supported = lowest(project.engines.node);
  expect(supported).not.toEqual([]);
  const refused = installed.flatMap(([path, { dev, engines: { node = ">=0" } = {} }]) =>
    dev ? [] : supported.filter((version) => !allows(node, version)).map((version) => `${path}: ${version}`),
  );
  expect(refused).toEqual([]);
  expect(packages[""]?.engines).toEqual(project.engines);
  const library = readFileSync(join(root, "docs/library.md"), "utf8");
  for (const version of supported) expect(library).toContain(version.replace(/(\.0)+$/, ""));
});

test("the project's settings neither disable a check nor name a registry", () => {
  const lines = readFileSync(join(root, ".npmrc"), "utf8").trim().split("\n");
  const settings = lines.filter((line) => !line.startsWith(";")).sort();
  expect(settings).toEqual(["loglevel=error", "omit-lockfile-registry-resolved=true", "save-exact=true"]);
});

describe("npm ci", () => {
  /** A registry with one package, and a project that has locked it. */
  async function lockedProject() {
    const manifest = { name: "greeter", version: "1.0.0" };
    const tarball = gzipSync(
      await packTar([
        {
          header: { name: "package/package.json", size: Buffer.byteLength(JSON.stringify(manifest)) },
          body: JSON.stringify(manifest),
        },
      ]),
    );
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const server = createServer(({ url, headers: { host } }, response) => {
      if (url === "/greeter.tgz") return response.end(tarball);
      const dist = { tarball: `http://${host}/greeter.tgz`, integrity };
      response.setHeader("content-type", "application/json");
      return response.end(
        JSON.stringify({
          name: "greeter",
          "dist-tags": { latest: "1.0.0" },
          versions: { "1.0.0": { ...manifest, dist } },
        }),
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const folder = mkdtempSync(join(tmpdir(), "evidence-lock-"));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    });
    cpSync(join(root, ".npmrc"), join(folder, ".npmrc"));
    const put = (name: string, content: object) =>
      writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
    const dependencies = { greeter: "1.0.0" };
    const lock = (entry: object) =>
      put("package-lock.json", {
        name: "user",
        lockfileVersion: 3,
        requires: true,
        packages: { "": { name: "user", dependencies }, "node_modules/greeter": entry },
      });
    put("package.json", { name: "user", private: true, dependencies });
    const install = async () => {
      const { port } = server.address() as AddressInfo;
      const registry = `http://127.0.0.1:${port}/`;
      const args = [
        "ci",
        "--registry",
        registry,
        "--cache",
        join(folder, "cache"),
        "--no-audit",
        "--no-fund",
      ];
      const child = spawn("npm", args, { cwd: folder, shell: process.platform === "win32" });
      const [stderr] = await Promise.all([text(child.stderr), text(child.stdout), once(child, "close")]);
      return { status: child.exitCode, stderr };
    };
    return { integrity, lock, put, install };
  }

  test("installs the locked version", async () => {
    const { integrity, lock, install } = await lockedProject();
    lock({ version: "1.0.0", integrity });

    expect(await install()).toMatchObject({ status: 0 });
  });

  test("rejects a package with other bytes than the lockfile's", async () => {
    const { integrity, lock, install } = await lockedProject();
    lock({ version: "1.0.0", integrity: integrity.replace(/.{4}==$/, "AAAA==") });

    const { status, stderr } = await install();
    expect(stderr).toContain("EINTEGRITY");
    expect(status).toBe(1);
  });

  test("rejects a package that is missing from the lockfile", async () => {
    const { integrity, lock, put, install } = await lockedProject();
    lock({ version: "1.0.0", integrity });
    put("package.json", { name: "user", dependencies: { greeter: "1.0.0", another: "1.0.0" } });

    const { status, stderr } = await install();
    expect(stderr).toContain("another");
    expect(status).toBe(1);
  });
});
