import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn } from "./sent-attestations.ts";
import { trailWith } from "./trail.ts";

const GENERIC = { flow: "web", name: "unit-test", compliant: "true" };
const UNDER_WAY = trailWith({
  status: "NON-COMPLIANT",
  slots: [
    { name: "review", type: "pull_request", compliant: true },
    { name: "ticket", type: "*", compliant: null },
    { name: "audit", compliant: true, overrides: "id-old" },
    { name: "extra", compliant: true, unexpected: true },
  ],
  artifacts: { app: [{ name: "unit-test", type: "junit", compliant: false }] },
});
const ASKED_FOR = { "x-template-match": "result=met" };
const RECORDED = { status: 201, body: "OK", headers: ASKED_FOR };

/** The checklist table in a step's summary. */
function checklistIn(snapshot: string): string {
  return /^(?:\*\*|<details>)[\s\S]*?(?=\n\n\[)/m.exec(snapshot)?.[0] ?? "";
}

describe("the checklist in a step's summary", () => {
  test("lists failures first in the summary of attest", async () => {
    await using server = await recordingServer([RECORDED, { status: 200, body: UNDER_WAY }]);
    const run = await runBundle("attest", { server, inputs: GENERIC });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    expect(checklistIn(run.snapshot)).toMatchInlineSnapshot(`
      "**4 of 5 present, 1 failing**

      | Slot | Kind | State |
      | :--- | :--- | :--- |
      | app.unit-test | junit | ❌ failing |
      | ticket | any | ⬜ missing |
      | audit | generic | ⚠️ overridden |
      | review | pull&#95;request | ✅ passing |
      | app | artifact | ✅ passing |
      | extra | generic | ➕ not in the template |"
    `);
  });

  test("is fetched once for a manifest, by the last request", async () => {
    await using server = await recordingServer([RECORDED, RECORDED, { status: 200, body: UNDER_WAY }]);
    const run = await runHere("attest", {
      server,
      inputs: { flow: "web", manifest: "m.yml" },
      files: { "m.yml": "- {name: review, compliant: true}\n- {name: lint, compliant: true}\n" },
    });
    expect(server.requests.map((request) => request.split(" ")[0])).toEqual(["POST", "POST", "GET"]);
    expect(checklistIn(run.snapshot)).toContain("**4 of 5 present, 1 failing**");
  });

  test("shows the required evidence in the summary of begin-trail", async () => {
    const begun = trailWith({ slots: [{ name: "review", compliant: null }] });
    await using server = await recordingServer([
      { status: 201, body: "OK" },
      { status: 200, body: begun },
    ]);
    const run = await runHere("begin-trail", { server, inputs: { flow: "web" } });
    expect(run.status).toBe(0);
    expect(checklistIn(run.snapshot)).toContain("**0 of 1 present**");
  });

  test("is collapsed when it is long, and ends after 50 lines", async () => {
    const slots = Array.from({ length: 60 }, (_, index) => ({ name: `test-${index}`, compliant: true }));
    await using server = await recordingServer([RECORDED, { status: 200, body: trailWith({ slots }) }]);
    const list = checklistIn((await runHere("attest", { server, inputs: GENERIC })).snapshot);
    expect(list).toMatch(/^<details><summary>60 of 60 present<\/summary>\n\n\|/);
    expect(list.match(/^\| test-/gm)).toHaveLength(50);
    expect(list).toMatch(/\n… and 10 more\.\n\n<\/details>$/);
  });

  test("is not fetched when the template requires no such evidence", async () => {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    await runHere("attest", { server, inputs: GENERIC });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a step succeeds without its checklist when", () => {
  test.each([
    ["the service refuses it", { status: 403, body: { message: "::error::not for you" } }],
    ["the service fails", { status: 500, body: { message: "down" } }],
    ["it has an unexpected shape", { status: 200, body: [] }],
  ])("%s", async (_, answer) => {
    await using server = await recordingServer([RECORDED, answer]);
    const run = await runHere("attest", { server, inputs: { ...GENERIC, retries: "0" } });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" }, stderr: "" });
    expect(run.stdout).toContain("The summary has no checklist of trail");
    expect(annotationsIn(run.stdout, "error")).toEqual([]);
    expect(annotationsIn(run.stdout, "warning")).toEqual([]);
    expect(run.snapshot).toContain("# summary\n### ✅ Attestation unit-test");
  });

  test("the service never responds", async () => {
    const server = await httpServer((response, { method }) => {
      if (method !== "GET") json(response, 201, "OK", ASKED_FOR);
    });
    const run = await runHere("attest", { inputs: { ...GENERIC, "base-url": server.url } });
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" }, stderr: "" });
    expect(run.stdout).toContain("no complete answer within 3 s");
  });
});
