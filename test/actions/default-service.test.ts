import { describe, expect, test } from "vitest";
import { runBundle } from "./bundle-run.ts";

const LOOK = { flow: "web", name: "lint", compliant: "true", "dry-run": "true" };
const SAID = "The service is https://app.kosli.com, the default: neither base-url nor region is given.";

describe("where a step sends", () => {
  test("is said in one line when nobody named it", async () => {
    const { status, stdout } = await runBundle("attest", { inputs: LOOK });
    expect(status).toBe(0);
    expect(stdout.split("\n").filter((line) => line.includes("kosli"))).toEqual([SAID]);
  });

  test.each([
    ["its region", { region: "us" }, {}],
    ["its address", { "base-url": "https://evidence.example.com" }, {}],
    ["its region by a variable", {}, { EVIDENCE_REGION: "eu" }],
    ["its address by a variable", {}, { EVIDENCE_BASE_URL: "https://evidence.example.com" }],
  ])("is not repeated to who named %s", async (_, inputs, env) => {
    const { status, stdout } = await runBundle("attest", { inputs: { ...LOOK, ...inputs }, env });
    expect(status).toBe(0);
    expect(stdout).not.toContain("The service is");
  });

  test("is nowhere when the address comes from a variable that is not set", async () => {
    const env = { EVIDENCE_BASE_URL: "" };
    const run = await runBundle("attest", { inputs: LOOK, env });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(
      "base-url: is empty: the variable EVIDENCE_BASE_URL is set, but to nothing; set it, or give region",
    );
  });

  test("is the default when a reusable workflow leaves both to it", async () => {
    const env = { EVIDENCE_BASE_URL: "", EVIDENCE_REGION: "" };
    const { status, stdout } = await runBundle("attest", { inputs: LOOK, env });
    expect(status).toBe(0);
    expect(stdout).toContain(SAID);
  });
});
