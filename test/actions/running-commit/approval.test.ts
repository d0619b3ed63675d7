import { describe, expect, test } from "vitest";
import { evaluateRunApprovals } from "../../../src/actions/running-commit/approval.ts";
import type { RunApproval } from "../../../src/github/api/run-approvals.ts";

function review(username: string, changes: Partial<RunApproval> = {}): RunApproval {
  return { username, state: "approved", comment: "", environments: ["live"], ...changes };
}

const judge = (listed: readonly RunApproval[], startedBy: string[] = ["ada"]) =>
  evaluateRunApprovals(listed, { environment: "live", startedBy });

describe("a run is approved", () => {
  test("when a person approved it, once for each person", () => {
    const twice = [review("grace"), review("linus"), review("grace")];
    expect(judge(twice)).toMatchObject({
      approved: true,
      approvedBy: ["grace", "linus"],
      selfApproved: false,
      whyNot: [],
    });
  });

  test("whatever the case of the environment's name", () => {
    expect(judge([review("grace", { environments: ["staging", "LIVE"] })]).approved).toBe(true);
  });

  test("by the person who started it, where GitHub allows that, and is marked", () => {
    expect(judge([review("Ada")])).toMatchObject({ approved: true, selfApproved: true });
  });

  test("without the mark when another person approved as well", () => {
    expect(judge([review("ada"), review("grace")])).toMatchObject({ approved: true, selfApproved: false });
  });
});

describe("a run is not approved", () => {
  test("when GitHub lists nothing", () => {
    const { approved, selfApproved, whyNot } = judge([]);
    expect({ approved, selfApproved }).toEqual({ approved: false, selfApproved: false });
    expect(whyNot).toEqual([expect.stringContaining("no approval of this run for 'live'")]);
  });

  test.each([
    ["for another environment", { environments: ["staging"] }],
    ["for no environment", { environments: [] }],
    ["which still waits", { state: "pending" as const }],
  ])("by an approval %s", (_, changes) => {
    expect(judge([review("grace", changes)])).toMatchObject({ approved: false, approvedBy: [] });
  });

  test.each([
    ["deploy-gate[bot]", "deploy-gate[bot] approved it, but is a bot"],
    ["ghost", "a deleted account approved it, so the approver is unknown"],
  ])("by %s", (username, why) => {
    expect(judge([review(username)])).toMatchObject({ approved: false, approvedBy: [], whyNot: [why] });
  });

  test("when a person rejected it", () => {
    expect(judge([review("grace", { state: "rejected" })])).toMatchObject({
      approved: false,
      whyNot: ["grace rejected it"],
    });
  });

  test("when it was rejected and approved, since GitHub does not return the order", () => {
    expect(judge([review("grace"), review("linus", { state: "rejected" })])).toMatchObject({
      approved: false,
      whyNot: [
        "linus rejected it",
        "grace approved it, and GitHub does not show whether before or after the rejection: start a new run",
      ],
    });
  });
});
