import { describe, expect, test } from "vitest";
import { runBundle } from "./bundle-run.ts";

const LOOK = { flow: "web", name: "lint", compliant: "true", "dry-run": "true" };
const MISSING =
  "base-url: is missing; set it to the address of your service, or set the region (eu or us) of the hosted service";

describe("the address of the service", () => {
  test.each([
    ["its region", { region: "us" }, {}],
    ["its address", { "base-url": "https://evidence.example.com" }, {}],
    ["its region by a variable", {}, { EVIDENCE_REGION: "eu" }],
    ["its address by a variable", {}, { EVIDENCE_BASE_URL: "https://evidence.example.com" }],
  ])("is set by %s", async (_, inputs, env) => {
    const { status } = await runBundle("attest", { inputs: { ...LOOK, ...inputs }, env });
    expect(status).toBe(0);
  });

  test.each([
    ["not given", {}],
    ["an unset variable", { EVIDENCE_BASE_URL: "" }],
    ["left empty by a reusable workflow", { EVIDENCE_BASE_URL: "", EVIDENCE_REGION: "" }],
  ])("is an error that names both ways when it is %s", async (_, env) => {
    const { status, stdout } = await runBundle("attest", { inputs: LOOK, env });
    expect(status).toBe(1);
    expect(stdout).toContain(MISSING);
  });
});
