import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleRemote } from "./sample-remote.ts";

const WORKFLOW = ".github/workflows/attest-build.yml";

describe("the tag of a release", () => {
  test("is one commit after the released one, which its workflows and examples name, however often it is created", () => {
    const project = sampleRemote();
    const source = project.git("rev-parse", "HEAD");
    // Uncommitted changes are not released.
    writeFileSync(join(project.folder, "clone/note.txt"), "not committed");

    expect(project.run("tag.ts", "1.2.0", "--dry-run").output).toContain("v1.2.0 would be ");
    expect(project.ref("refs/tags/v1.2.0")).toBeUndefined();
    expect(project.run("tag.ts", "1.2.0")).toMatchObject({ status: 0, stderr: "" });

    const tagged = project.ref("refs/tags/v1.2.0");
    expect(project.outputs()).toBe(`tag=v1.2.0\ncommit=${tagged}\n`);
    expect(project.git("rev-parse", `${tagged}^`)).toBe(source);
    expect(project.file("v1.2.0", WORKFLOW)).toContain(
      `- uses: delivery-evidence/toolkit/actions/attest@${source} # v1.2.0`,
    );
    const readme = project.file("v1.2.0", "README.md");
    expect(readme).toContain(`- uses: delivery-evidence/toolkit/actions/attest@${source} # v1.2.0`);
    expect(readme).toContain(
      "The examples name the release [v1.2.0](https://github.com/delivery-evidence/toolkit/releases/tag/v1.2.0).",
    );
    expect(project.file("v1.2.0", ".github/workflows/try-release.yml")).toBe(
      "jobs:\n  a:\n    steps:\n      - uses: delivery-evidence/toolkit/actions/attest@v1.2.0\n      - uses: delivery-evidence/toolkit@v1.2.0",
    );
    expect(project.git("diff", "--name-only", source, tagged ?? "")).toBe(
      `${WORKFLOW}\n.github/workflows/try-release.yml\nREADME.md\ndocs/newest-release.json`,
    );
    expect(project.ref("refs/heads/main"), "main is unchanged").toBe(source);
    expect(project.git("status", "--porcelain"), "and so is the working tree").toBe("?? note.txt");
    expect(project.git("worktree", "list").split("\n")).toHaveLength(1);

    // A rerun after main has moved on.
    const outputs = project.outputs();
    project.commit("docs: something else");
    project.git("checkout", "-q", source);
    expect(project.run("tag.ts", "1.2.0")).toEqual({
      status: 0,
      output: "v1.2.0 already exists",
      stderr: "",
    });
    expect([project.outputs(), project.ref("refs/tags/v1.2.0")]).toEqual([outputs, tagged]);
  });

  test("is not created for a version other than the package's, nor after main has moved since the release began", () => {
    const project = sampleRemote();
    const refusal = (version: string) => {
      const { status, output } = project.run("tag.ts", version);
      expect(status).toBe(1);
      return output;
    };
    expect(refusal("v1.2.0")).toBe("::error::'v1.2.0' is no version to release: give one such as 1.2.3");
    expect(refusal("1.3.0")).toContain("::error::package.json has version 1.2.0, not 1.3.0: merge");

    const source = project.git("rev-parse", "HEAD");
    const moved = project.commit("attest: a mend that came in between");
    project.git("checkout", "-q", source);
    expect(refusal("1.2.0")).toBe(
      `::error::main has moved from ${source} to ${moved}: start the release again from there`,
    );
    expect(project.git("ls-remote", "--tags", "origin")).toBe("");
  });

  test("is not created again from another commit, nor after a later one", () => {
    const project = sampleRemote();
    project.run("tag.ts", "1.2.0");
    const tagged = project.ref("refs/tags/v1.2.0");
    project.commit("attest: a change without a version of its own");
    expect(project.run("tag.ts", "1.2.0").output).toContain("v1.2.0 is already released from another commit");
    expect(project.ref("refs/tags/v1.2.0")).toBe(tagged);

    project.version("1.1.9");
    expect(project.run("tag.ts", "1.1.9").output).toContain(
      "v1.2.0 is already released: choose a later version",
    );
    expect(project.ref("refs/tags/v1.1.9")).toBeUndefined();
  });
});

describe("an announced release", () => {
  /** Releases a version from the current main. */
  function release(project: ReturnType<typeof sampleRemote>, version: string): string {
    expect(project.run("tag.ts", version)).toMatchObject({ status: 0, stderr: "" });
    return project.ref(`refs/tags/v${version}`) ?? "";
  }

  test("is named by its major tag and the examples on main, however often it is announced", () => {
    const project = sampleRemote();
    const first = release(project, "1.2.0");
    project.commit("docs: another page, pushed while the release was tried", { "docs/other.md": "Other\n" });
    expect(project.run("announce.ts", "1.2.0")).toEqual({
      status: 0,
      output: "v1 is v1.2.0\nThe pages on main name v1.2.0",
      stderr: "",
    });
    expect(project.ref("refs/tags/v1")).toBe(first);
    expect(project.file("main", "README.md")).toContain(`actions/attest@${first} # v1.2.0`);
    expect(project.file("main", WORKFLOW), "the workflows on main refer to their own commit").toContain(
      "$/actions",
    );

    expect(project.file("main", "docs/other.md")).toBe("Other");

    const main = project.ref("refs/heads/main");
    project.run("announce.ts", "1.2.0");
    expect(project.ref("refs/heads/main")).toBe(main);

    project.pull();
    project.version("2.0.0");
    const second = release(project, "2.0.0");
    project.run("announce.ts", "2.0.0");
    const tags = ["v1", "v1.2.0", "v2", "v2.0.0"].map((tag) => project.ref(`refs/tags/${tag}`));
    expect(tags).toEqual([first, first, second, second]);
    const readme = project.file("main", "README.md");
    expect(readme).toContain(`actions/attest@${second} # v2.0.0`);
    expect(readme).not.toContain(first);
  });

  test("moves nothing back when an earlier one finishes late", () => {
    const project = sampleRemote();
    release(project, "1.2.0");
    project.version("1.3.0");
    const later = release(project, "1.3.0");
    project.run("announce.ts", "1.3.0");
    const main = project.ref("refs/heads/main");

    expect(project.run("announce.ts", "1.2.0")).toEqual({
      status: 0,
      output: "v1 is not moved: a later release has moved it already\nThe pages on main name v1.3.0",
      stderr: "",
    });
    expect([project.ref("refs/tags/v1"), project.ref("refs/heads/main")]).toEqual([later, main]);
  });
});

test("the changelog is made of the commit subjects since the previous release, by area", () => {
  const project = sampleRemote();
  project.run("tag.ts", "1.2.0");
  project.run("announce.ts", "1.2.0");
  project.pull();
  project.commit("gate: an unknown artifact no longer opens it");
  project.commit("tests: fewer of them");
  project.commit("attest: <b> for @ada, see #7");
  project.commit("gate: tells why it is shut");
  project.commit("Say it without an area: as once");
  project.version("1.3.0");
  project.run("tag.ts", "1.3.0");
  project.git("fetch", "-q", "--tags", "origin");

  const { status, output } = project.run("changelog.ts", "v1.3.0");
  expect(status).toBe(0);
  expect(output.replace(/\([0-9a-f]{7,}\)/g, "(commit)")).toBe(`Since v1.2.0:

### attest

- &lt;b> for @\u2060ada, see #\u20607 (commit)

### build

- 1.3.0 (commit)

### gate

- an unknown artifact no longer opens it (commit)
- tells why it is shut (commit)

### other

- Say it without an area: as once (commit)

<details><summary>Inside the project</summary>

### tests

- fewer of them (commit)

</details>`);
  expect(project.run("changelog.ts", "v1.2.0").output).toContain(
    "The first release.\n\n### build\n\n- the first commit",
  );
});

test("written notes are the changelog of their release, also of the first one here", () => {
  const project = sampleRemote();
  project.commit("docs: notes", { "docs/release-notes/v1.2.0.md": "What it brings.\n" });
  expect(project.run("changelog.ts", "v1.2.0").output).toBe("What it brings.");
  expect(existsSync(join(import.meta.dirname, "../../docs/release-notes/v0.1.0.md"))).toBe(true);
});
