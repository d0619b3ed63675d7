import { globSync, readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { actionYaml } from "../../scripts/action-files.ts";
import { uploadArtifact } from "../../scripts/composite/upload-artifact.ts";
import { actions } from "../../src/actions/actions.ts";
import { attest } from "../../src/actions/attest.ts";
import { temporaryFolder } from "../spool/fixtures.ts";

describe("the action file of an action that spools", () => {
  const yaml = actionYaml(attest);

  test("uploads spooled submissions, also after a failure, and nothing otherwise", () => {
    expect(parse(yaml).runs.steps[1]).toEqual({
      if: "${{ always() && steps.run.outputs.spool-artifact != '' }}",
      uses: expect.stringMatching(/^actions\/upload-artifact@[0-9a-f]{40}$/),
      with: {
        name: "${{ steps.run.outputs.spool-artifact }}",
        path: "${{ steps.run.outputs.spool-folder }}",
        "if-no-files-found": "error",
      },
    });
  });

  test("pins the upload action as the workflows do, with its version in a comment", () => {
    const [pinned] = /actions\/upload-artifact@[0-9a-f]{40} # v\d+\.\d+\.\d+/.exec(yaml) ?? [];
    const root = join(import.meta.dirname, "../..");
    const pins = globSync(".github/workflows/*.yml", { cwd: root }).flatMap((path) => [
      ...readFileSync(join(root, path), "utf8").matchAll(/actions\/upload-artifact@.*/g),
    ]);
    expect(pins.length).toBeGreaterThan(0);
    expect(new Set(pins.map(([pin]) => pin))).toEqual(new Set([pinned]));
  });

  test("is the only one with more than one step", () => {
    const several = actions.filter((action) => parse(actionYaml(action)).runs.steps.length > 1);
    expect(several.map(({ name }) => name)).toEqual(["attest"]);
  });
});

describe("the simulation of actions/upload-artifact", () => {
  const play = (artifacts: string, name: string, path: string) =>
    uploadArtifact(artifacts)({
      uses: "actions/upload-artifact",
      with: { name, path },
      env: {},
      workspace: "",
    });

  test("stores a folder's files under a name, without hidden ones, and accepts the name once", async () => {
    await using folder = await temporaryFolder();
    const [spool, artifacts] = [join(folder.path, "spool"), join(folder.path, "artifacts")];
    await mkdir(join(spool, "one", "files"), { recursive: true });
    await mkdir(join(spool, ".writing-1"));
    await writeFile(join(spool, "one", "files", "0"), "x");
    await writeFile(join(spool, "one", ".hidden"), "x");
    expect(await play(artifacts, "a", spool)).toMatchObject({ outcome: "success" });
    expect((await readdir(artifacts, { recursive: true })).sort()).toEqual([
      "a",
      join("a", "one"),
      join("a", "one", "files"),
      join("a", "one", "files", "0"),
    ]);
    expect(await play(artifacts, "a", spool)).toMatchObject({ outcome: "failure" });
  });

  test("fails when there is nothing to upload", async () => {
    await using folder = await temporaryFolder();
    const { outcome, stdout } = await play(join(folder.path, "artifacts"), "a", join(folder.path, "nowhere"));
    expect(outcome).toBe("failure");
    expect(stdout).toMatch(/^::error::/);
  });
});
