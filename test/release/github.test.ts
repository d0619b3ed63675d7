import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { json as readJson, text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { describe, expect, onTestFinished, test } from "vitest";

const SCRIPTS = join(import.meta.dirname, "../../scripts/release");
const FAKE_GH = join(import.meta.dirname, "fake-gh.ts");

/** A machine on which the scripts of a release find a stand-in for `gh`. */
function machine(state: Readonly<Record<string, unknown>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [bin, statePath, outputs] = ["bin", "state.json", "outputs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_GH}' "$@"\n`, {
    mode: 0o755,
  });
  const usual = { isImmutable: true, attested: [], runs: [], ends: "success", changes: [] };
  writeFileSync(statePath, JSON.stringify({ ...usual, ...state }));
  return {
    folder,
    state: () => JSON.parse(readFileSync(statePath, "utf8")),
    async run(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      writeFileSync(outputs, "");
      const child = spawn(process.execPath, [join(SCRIPTS, script), ...args], {
        cwd: folder,
        env: {
          PATH: `${bin}${delimiter}${process.env["PATH"]}`,
          HOME: folder,
          GH_STATE: statePath,
          GITHUB_OUTPUT: outputs,
          GITHUB_REPOSITORY: "delivery-evidence/toolkit",
          GITHUB_SHA: "1".repeat(40),
          TRIAL_PAUSE_MS: "1",
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [said, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { status, said: said.trim(), stderr, outputs: readFileSync(outputs, "utf8") };
    },
  };
}

describe("the release at GitHub", () => {
  const ARGS = ["v1.2.0", "notes.md", "package.tgz"];
  const CREATED = "release create v1.2.0 --draft --verify-tag --title v1.2.0 --notes-file notes.md";
  const UPLOADED = "release upload v1.2.0 package.tgz --clobber";
  const PUBLISHED = "release edit v1.2.0 --draft=false";

  test("is published with all of its files, is finished when it was broken off, and is not made twice", async () => {
    const { run, state } = machine({ failsAt: "release upload" });
    const broken = await run("github-release.ts", ARGS);
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain("connection reset by peer");
    expect(state()).toMatchObject({ release: { isDraft: true }, changes: [CREATED] });

    expect(await run("github-release.ts", ARGS)).toMatchObject({ status: 0, said: "v1.2.0 is published" });
    expect(state().changes).toEqual([CREATED, UPLOADED, PUBLISHED]);

    const again = await run("github-release.ts", ARGS);
    expect(again).toMatchObject({ status: 0, said: "v1.2.0 is published already" });
    expect(state().changes).toHaveLength(3);
  });

  test("that can still be changed fails the run", async () => {
    const { run } = machine({ isImmutable: false });
    const { status, said } = await run("github-release.ts", ARGS);
    expect(status).toBe(1);
    expect(said).toContain('::error::v1.2.0 can still be changed: turn on "Enable release immutability"');
  });
});

describe("the trial of a release", () => {
  const ARGS = ["v1.2.0", "2".repeat(40), "delivery-evidence@1.2.0"];
  const STARTED = "workflow run try-release.yml --ref v1.2.0 --field package=delivery-evidence@1.2.0";

  test("is started at the tag and waited for; one that succeeded is not started again", async () => {
    const { run, state } = machine();
    expect(await run("trial.ts", ARGS)).toMatchObject({ status: 0, stderr: "" });
    expect((await run("trial.ts", ARGS)).said).toBe("v1.2.0 was tried already");
    expect(state().changes).toEqual([STARTED]);
  });

  test("that failed fails the release, and is started anew when that is run again", async () => {
    const { run, state } = machine({ ends: "failure" });
    const failed = await run("trial.ts", ARGS);
    expect(failed).toMatchObject({
      status: 1,
      said: "::error::v1.2.0 was tried, and failed: see the run 7 of try-release.yml",
    });
    await run("trial.ts", ARGS);
    expect(state().changes).toEqual([STARTED, STARTED]);
  });

  test("that runs already is waited for", async () => {
    const { run, state } = machine({ runs: [{ databaseId: 5, status: "queued", conclusion: "" }] });
    expect((await run("trial.ts", ARGS)).status).toBe(0);
    expect(state().changes).toEqual([]);
  });
});

test("a bundle is attested with all the files of its bill of materials, and by one run once", async () => {
  const provenance = "dist/attest/index.js https://slsa.dev/provenance/v1";
  const { run, folder } = machine({ attested: [provenance] });
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const digest = (content: string) => createHash("sha256").update(content).digest("hex");
  const components = [
    { name: "index.js", hashes: [{ alg: "SHA-256", content: digest("program") }] },
    { name: "../shared/core.js", hashes: [{ alg: "SHA-256", content: digest("core") }] },
  ];
  put("dist/attest/index.js", "program");
  put("dist/shared/core.js", "core");
  put("dist/attest/sbom.cdx.json", JSON.stringify({ metadata: { component: { components } } }));
  const subjects = () => run("bundle-subjects.ts", ["dist/attest"], { RUNNER_TEMP: folder });

  const { outputs } = await subjects();
  expect(outputs).toBe(`checksums=${join(folder, "attest.sha256")}\nprovenance=true\nsbom=false\n`);
  expect(readFileSync(join(folder, "attest.sha256"), "utf8")).toBe(
    `${digest("program")}  dist/attest/index.js\n${digest("core")}  dist/shared/core.js\n`,
  );

  put("dist/shared/core.js", "changed");
  const changed = await subjects();
  expect(changed.status).toBe(1);
  expect(changed.stderr).toContain("dist/shared/core.js is not the file that the bill of materials lists");
});

describe("the npm package", () => {
  const PACKAGE = { name: "delivery-evidence", version: "1.2.0" };

  async function tarball(content: string): Promise<Buffer> {
    const files = { "package.json": JSON.stringify(PACKAGE), "index.js": content };
    const entries = Object.entries(files).map(([name, body]) => ({
      header: { name: `package/${name}`, size: Buffer.byteLength(body) },
      body,
    }));
    return gzipSync(await packTar(entries));
  }

  /** A registry that takes what npm publishes, and shows it. */
  async function registry() {
    const published: string[] = [];
    let document: unknown;
    const server = createServer(async (request, response) => {
      if (request.method === "PUT") {
        document = await readJson(request);
        published.push(request.url ?? "");
        return response.writeHead(201).end("{}");
      }
      if (document === undefined) return response.writeHead(404).end('{"error":"not found"}');
      return response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const config = `registry=http://${address}\n//${address}:_authToken=sample\nupdate-notifier=false\n`;
    return { published, config };
  }

  test("is published once; another file under its version is refused", async () => {
    const { published, config } = await registry();
    const { folder, run } = machine();
    const at = (name: string) => join(folder, name);
    writeFileSync(at(".npmrc"), config);
    const ours = await tarball("export {};");
    mkdirSync(at("package"));
    writeFileSync(at("package/ours.tgz"), ours);
    // As a job names it: npm takes a path without a dot before it for a repository.
    const publish = (file: string) => run("publish.ts", ["delivery-evidence@1.2.0", file]);

    expect(await publish("package/ours.tgz")).toMatchObject({
      status: 0,
      said: "delivery-evidence@1.2.0 is published",
    });
    expect(await publish("package/ours.tgz")).toMatchObject({
      status: 0,
      said: "delivery-evidence@1.2.0 is published already",
    });
    expect(published).toEqual(["/delivery-evidence"]);

    writeFileSync(at("package/other.tgz"), await tarball("export const other = 1;"));
    const refused = await publish("package/other.tgz");
    expect(refused.status).toBe(1);
    expect(refused.said).toContain(
      "::error::delivery-evidence@1.2.0 is published already, and is another file: ",
    );
    expect(refused.said).toContain(createHash("sha512").update(ours).digest("base64"));
  });
});
