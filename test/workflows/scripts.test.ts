import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readWorkflow, workflowFiles } from "./workflow-files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bash = spawnSync("bash", ["-c", "type -P bash"], { encoding: "utf8" }).stdout.trim();

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "workflow-scripts-"));
  mkdirSync(join(folder, "bin"));
  for (const program of ["bash", "dirname", "mktemp", "rm"]) {
    const { stdout } = spawnSync(bash, ["-c", `type -P ${program}`], { encoding: "utf8" });
    symlinkSync(stdout.trim(), join(folder, "bin", program));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A script on a machine where only standard programs are installed. */
function runBare(script: string, ...args: string[]) {
  const env = { PATH: join(folder, "bin"), TMPDIR: folder };
  return spawnSync(bash, [join(root, "scripts", script), ...args], { env, encoding: "utf8" });
}

test.each(["act.sh", "rehearse-release.sh"])(
  "%s reports that act is missing, and does not exit like a successful run",
  (script) => {
    const { status, stderr } = runBare(script);
    expect(status).toBe(3);
    expect(stderr).toContain("act is not installed: nothing was run.");
  },
);

describe("lint-workflows.sh", () => {
  test("reports each missing linter and that nothing was checked with it", () => {
    const { status, stdout } = runBare("lint-workflows.sh");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout:
        "actionlint is not installed: nothing was checked with it\nzizmor is not installed: nothing was checked with it\nshellcheck is not installed: nothing was checked with it\n",
    });
  });

  test("fails when a linter is missing and all are required", () => {
    const { status, stderr } = runBare("lint-workflows.sh", "--all");
    expect({ status, stderr }).toEqual({ status: 1, stderr: "Missing: actionlint zizmor shellcheck\n" });
  });
});

describe("the kubeconfig of report-kubernetes", () => {
  const file = workflowFiles.find(({ name }) => name.endsWith("/report-kubernetes.yml"));
  const steps =
    file === undefined ? [] : Object.values(readWorkflow(file).jobs).flatMap((job) => job.steps ?? []);

  /** Runs the script of a step as the runner does. */
  function runStep(name: string, env: Readonly<Record<string, string>>) {
    const script = steps.find((step) => step["name"] === name)?.run ?? "";
    expect(script).not.toBe("");
    writeFileSync(join(folder, "outputs"), "");
    const { status } = spawnSync(bash, ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      env: { PATH: process.env["PATH"], RUNNER_TEMP: folder, GITHUB_OUTPUT: join(folder, "outputs"), ...env },
    });
    return { status, outputs: readFileSync(join(folder, "outputs"), "utf8") };
  }

  test("is a file that only its owner can read, and is removed at the end", () => {
    const written = runStep("Write the kubeconfig to a private file", {
      KUBECONFIG_TEXT: "apiVersion: v1\nkind: Config",
    });
    const path = /^path=(.+)\n$/.exec(written.outputs)?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toBe("apiVersion: v1\nkind: Config\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);

    expect(runStep("Remove the kubeconfig", { FILE: path }).status).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test("is the runner's when the caller sets none", () => {
    const none = runStep("Write the kubeconfig to a private file", { KUBECONFIG_TEXT: "" });
    expect(none).toEqual({ status: 0, outputs: "" });
    expect(runStep("Remove the kubeconfig", { FILE: "" }).status).toBe(0);
  });
});
