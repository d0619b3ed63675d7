import { expect, test } from "vitest";
import { callProblems } from "./calls.ts";
import { problemsOf } from "./github-parser.ts";

/** A caller of the gate and of the report, with one change. */
function caller(change: { from: string; to: string }) {
  const text = `on: push
permissions: {}
jobs:
  gate:
    permissions: {}
    uses: $/.github/workflows/release-gate.yml
    with:
      org: acme
      fingerprint: sha256:0
      fail-on-non-compliant: false
    secrets:
      api-key: \${{ secrets.EVIDENCE_API_KEY }}
  report:
    needs: gate
    permissions:
      contents: read
    uses: delivery-evidence/toolkit/.github/workflows/report-kubernetes.yml@FULL_COMMIT_SHA
    with:
      org: \${{ needs.gate.outputs.scope }}
    secrets:
      api-key: \${{ secrets.EVIDENCE_API_KEY }}
`;
  expect(text).toContain(change.from);
  return { name: "caller.yml", text: text.replace(change.from, change.to) };
}

test("a correct caller has no errors", async () => {
  const file = caller({ from: "acme", to: "acme" });
  expect([...(await problemsOf(file)), ...callProblems(file)]).toEqual([]);
});

test.each([
  ["omits a required input", "      fingerprint: sha256:0\n", "", "Input fingerprint is required"],
  ["sets an unknown input", "fingerprint:", "digest:", "digest is not defined"],
  ["sets an unknown secret", /api-key/.source, "key", "Invalid secret, key is not defined"],
  ["calls a missing workflow", "release-gate.yml", "gate.yml", "Unable to find reusable workflow"],
  ["is not a valid workflow", "on: push", "on: pushed", "Unexpected value 'pushed'"],
  ["uses an unknown context", "needs.gate", "steps.gate", "Unrecognized named-value: 'steps'"],
])("GitHub's parser rejects a caller that %s", async (_, from, to, problem) => {
  expect((await problemsOf(caller({ from, to }))).join("\n")).toContain(problem);
});

test.each([
  [
    "sets a boolean to a word",
    "fail-on-non-compliant: false",
    "fail-on-non-compliant: perhaps",
    "caller.yml, job gate: fail-on-non-compliant must be a boolean",
  ],
  [
    "grants fewer permissions than required",
    "    permissions:\n      contents: read\n",
    "",
    "caller.yml, job report: does not grant contents: read",
  ],
  [
    "sets no key and grants no token",
    "    secrets:\n      api-key: ${{ secrets.EVIDENCE_API_KEY }}\n  report:",
    "  report:",
    "caller.yml, job gate: does not grant id-token: write",
  ],
  [
    "requires GitHub's attestation without its permission",
    "      fingerprint: sha256:0\n",
    "      fingerprint: sha256:0\n      github-attestation: required\n",
    "caller.yml, job gate: does not grant attestations: read",
  ],
  [
    "uses an unknown output",
    "outputs.scope",
    "outputs.score",
    "caller.yml, job report: gate has no output score",
  ],
  [
    "uses the output of a job it does not need",
    "    needs: gate\n",
    "",
    "caller.yml, job report: uses the outputs of gate, which it does not need",
  ],
])("our check rejects a caller that %s", (_, from, to, problem) => {
  expect(callProblems(caller({ from, to }))).toContain(problem);
});
