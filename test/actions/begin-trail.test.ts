import { describe, expect, test } from "vitest";
import { runBundle, runHere, SHA } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { trailWith } from "./trail.ts";

const CREATED = { status: 201, body: "OK" };
const TRAIL = { status: 200, body: trailWith({ slots: [{ name: "review", compliant: null }] }) };

describe("the begin-trail bundle", () => {
  test("begins a trail named after the commit", async () => {
    await using server = await recordingServer([CREATED, TRAIL]);
    const run = await runBundle("begin-trail", { server, inputs: { flow: "web" } });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs).toMatchObject({ trail: SHA, created: "true" });
  });

  test("first creates the flow when a template is set", async () => {
    await using server = await recordingServer([CREATED, { status: 200, body: "OK" }, TRAIL]);
    const run = await runHere("begin-trail", {
      server,
      inputs: {
        flow: "web",
        trail: "v1",
        "flow-template-file": "evidence.yml",
        "template-file": "special.yml",
      },
      files: { "evidence.yml": "version: 1\n", "special.yml": "version: 1\ntrail: {}\n" },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs).toMatchObject({ trail: "v1", created: "false" });
  });

  test("redacts the parts of the commit in redact-commit", async () => {
    await using server = await recordingServer([CREATED]);
    await runHere("begin-trail", { server, inputs: { flow: "web", redact: "author, message\nbranch" } });
    const { git_commit_info } = JSON.parse(/\{.*\}/.exec(server.requests[0] ?? "")?.[0] ?? "{}");
    expect(git_commit_info).toMatchObject({
      author: "**REDACTED**",
      message: "**REDACTED**",
      branch: "**REDACTED**",
    });
    expect(Object.keys(git_commit_info)).not.toContain("author_username");
  });

  test("explains how to create a missing flow", async () => {
    const message = "Flow named 'web' does not exist for organization 'acme'";
    await using server = await recordingServer([{ status: 404, body: { message } }]);
    const run = await runHere("begin-trail", { server, inputs: { flow: "web" } });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(message);
    expect(run.stdout).toContain("set flow-template-file or flow-description");
  });

  test("suggests checking base-url when the address is not the service's", async () => {
    await using server = await recordingServer([{ status: 404, body: { detail: "Not Found" } }]);
    const run = await runHere("begin-trail", { server, inputs: { flow: "web" } });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("check that base-url is the address of the service");
    expect(run.stdout).not.toContain("flow-template-file");
  });

  test.each(["template-file", "flow-template-file"])(
    "changes nothing when its %s cannot be read",
    async (input) => {
      await using server = await recordingServer([CREATED]);
      const inputs = { flow: "web", "flow-description": "x", [input]: "gone.yml" };
      const run = await runHere("begin-trail", { server, inputs });
      expect(run.status).toBe(1);
      expect(run.stdout).toContain(`${input}: 'gone.yml' does not exist`);
      expect(server.requests).toEqual([]);
    },
  );
});
