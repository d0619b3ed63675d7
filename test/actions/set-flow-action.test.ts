import { describe, expect, test } from "vitest";
import { runBundle } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

const HOOK = "https://hooks.slack.example/services/T0/B0/s3cr3t";

describe("the set-flow-action bundle", () => {
  test("sends every kind of target", async () => {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    const run = await runBundle("set-flow-action", {
      server,
      inputs: {
        name: "team/tell",
        flows: "web, api",
        triggers: "ON_ATTESTATION\nON_APPROVAL",
        "slack-webhooks": HOOK,
        webhooks: "https://hooks.example/a,b",
        emails: "a@example.com, b@example.com",
      },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs).toEqual({ created: "true" });
  });

  test("says false when one of the same name was replaced", async () => {
    await using server = await recordingServer([{ status: 200, body: "OK" }]);
    const run = await runBundle("set-flow-action", {
      server,
      inputs: { name: "n", emails: "a@example.com" },
    });
    expect(run).toMatchObject({ status: 0, outputs: { created: "false" } });
  });

  test("masks the addresses of webhooks, and shows a dry run without sending", async () => {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    const inputs = { name: "n", "slack-webhooks": HOOK, "dry-run": "true" };
    const run = await runBundle("set-flow-action", { server, inputs });
    expect(run.stdout.indexOf(`::add-mask::${HOOK}`)).toBeLessThan(run.stdout.indexOf("::group::Dry run"));
    expect(run.stdout).toContain(`::add-mask::${HOOK}\n`);
    expect(run).toMatchObject({ status: 0, outputs: { created: "" } });
    expect(server.requests).toEqual([]);
  });

  test.each([
    [
      "a name that begins with a dash",
      { name: "-x", emails: "a@example.com" },
      "name: must consist of letters, digits, hyphens, underscores, dots, tildes and slashes, and begin with a letter or digit, not '-x'",
    ],
    ["a name with a blank", { name: "a b", emails: "a@example.com" }, "name: must consist of letters, "],
    ["no name", { emails: "a@example.com" }, "name: is required"],
    ["an unknown trigger", { name: "n", triggers: "ON_FOO", emails: "a@example.com" }, "not 'ON_FOO'"],
    ["nobody to tell", { name: "n" }, "someone must be told"],
    [
      "an address that is none",
      { name: "n", emails: "a@example.com, nobody" },
      "emails: item 2 must be an e-mail address, not 'nobody'",
    ],
  ])("refuses %s and asks nobody", async (_, inputs, said) => {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    const run = await runBundle("set-flow-action", { server, inputs });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(said);
    expect(server.requests).toEqual([]);
  });

  test("does not repeat a webhook's address when it is wrong", async () => {
    const run = await runBundle("set-flow-action", {
      inputs: { name: "n", webhooks: "ftp://user:s3cr3t@x" },
    });
    expect(run.status).toBe(1);
    const printed = run.stdout.split("\n").filter((line) => !line.startsWith("::add-mask::"));
    expect(printed.join("\n")).not.toContain("s3cr3t");
  });
});
