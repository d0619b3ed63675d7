import { expect, test } from "vitest";
import { runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

const INPUTS = { flow: "web", trail: "v1", name: "unit", compliant: "true" };
const RECORDED = {
  status: 201,
  body: "OK",
  headers: { "X-Evidence-Leaf": `sha256:${"a".repeat(64)}`, "X-Evidence-Event": "e1" },
};

test("without receipt, the step sends its record and asks for no proof", async () => {
  await using server = await recordingServer([RECORDED]);
  const { status, outputs } = await runHere("attest", { server, inputs: INPUTS });
  expect([status, outputs["receipt"], server.requests.length]).toEqual([0, "", 1]);
});

test.each([
  [{ status: 404, body: { message: "No checkpoint yet" } }, "No checkpoint yet"],
  [{ status: 200, body: { index: 0, size: 1, event: "{}", proof: "" } }, "proves another event than"],
])("a receipt that cannot be made fails the step after the record: %j", async (answer, reason) => {
  await using server = await recordingServer([RECORDED, answer]);
  const { status, outputs, stdout } = await runHere("attest", {
    server,
    inputs: { ...INPUTS, receipt: "true" },
  });
  expect([status, outputs["status"], outputs["receipt"]]).toEqual([1, "recorded", ""]);
  expect(stdout).toContain("The receipt could not be made");
  expect(stdout).toContain(reason);
});

test.each([
  [{ "on-unavailable": "warn" }, "cannot be used with `on-unavailable: warn`"],
  [{ manifest: "evidence.yml" }, "cannot be used with `manifest`"],
])("a receipt needs one record that is made now: %j", async (inputs, problem) => {
  await using server = await recordingServer([]);
  const { stdout } = await runHere("attest", { server, inputs: { ...INPUTS, ...inputs, receipt: "true" } });
  expect(stdout).toContain(problem);
  expect(server.requests).toEqual([]);
});
