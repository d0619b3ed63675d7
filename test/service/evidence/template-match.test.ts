import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { type Answered, COMMIT, FP, pipeline } from "../requests.ts";
import { startTestService, type TestService } from "../running-service.ts";

const TEMPLATE = `
trail:
  attestations: [{ name: lint, type: generic }]
  artifacts: [{ name: web, attestations: [{ name: unit, type: junit }] }]
`;
const JUNIT = { junit_results: [{ name: "s", failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }] };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).flow("web", TEMPLATE);
});
afterAll(() => service.dispose());

const matchOf = ({ status, headers }: Answered) => [status, headers["x-template-match"]];
const NEAREST = "result=unmet&artifact=web&attestation=unit&type=junit";

describe("the response to a record says whether the template requires it:", () => {
  it("an artifact", async () => {
    const { artifact } = pipeline(service);
    expect(matchOf(await artifact("web", "a"))).toEqual([201, "result=met"]);
    const misspelled = { template_reference_name: "wbe" };
    expect(matchOf(await artifact("web", "a", misspelled))).toEqual([201, "result=unmet&artifact=web"]);
    expect(matchOf(await artifact("web", undefined, misspelled))).toEqual([201, "result=unmet&artifact=web"]);
    expect(matchOf(await artifact("plain", "a"))).toEqual([201, "result=nothing-asked"]);
  });

  it("an attestation about the trail or about an artifact, by name or by fingerprint", async () => {
    const { artifact } = pipeline(service);
    const { attest } = attestations(service);
    const trail = "b";
    const on = (kind: string, form: object) => attest(kind, "web", form, { trail });
    const target = { target_artifacts: ["web"], git_commit_info: commit() };
    await artifact("web", trail);
    expect(matchOf(await on("junit", { ...JUNIT, ...target }))).toEqual([201, "result=met"]);
    expect(matchOf(await on("junit", { ...JUNIT, artifact_fingerprint: FP }))).toEqual([201, "result=met"]);
    expect(matchOf(await on("junit", JUNIT))).toEqual([201, NEAREST]);
    expect(matchOf(await on("generic", { is_compliant: true, artifact_fingerprint: FP }))).toEqual([
      201,
      NEAREST,
    ]);
    const lint = { attestation_name: "lint", is_compliant: true };
    expect(matchOf(await on("generic", lint))).toEqual([201, "result=met"]);
    expect(matchOf(await attest("generic", "plain", lint))).toEqual([201, "result=nothing-asked"]);
  });

  it("an attestation by name, which counts only at the commit of the artifact", async () => {
    const { artifact } = pipeline(service);
    const claimAt = async (sha1: string) => {
      const form = { ...JUNIT, target_artifacts: ["web"], git_commit_info: { ...commit(), sha1 } };
      const [, match] = matchOf(await attestations(service).attest("junit", "web", form, { trail: "e" }));
      return match;
    };
    const other = "d".repeat(40);
    expect([await claimAt(COMMIT), await claimAt(other)]).toEqual(["result=met", "result=met"]);
    await artifact("web", "e");
    expect([await claimAt(COMMIT), await claimAt(other)]).toEqual(["result=met", NEAREST]);
    await artifact("web", "e", { git_commit: other });
    expect([await claimAt(COMMIT), await claimAt(other)]).toEqual(["result=met", "result=met"]);
  });

  it("an override, by the type of what it overrides", async () => {
    const { attest, override } = attestations(service);
    await attest("generic", "web", { attestation_name: "lint", is_compliant: false }, { trail: "c" });
    await attest("generic", "web", { attestation_name: "extra", is_compliant: false }, { trail: "c" });
    expect(matchOf(await override("web", { attestation_name: "lint" }, "c"))).toEqual([200, "result=met"]);
    const [, match] = matchOf(await override("web", { attestation_name: "extra" }, "c"));
    expect(match).toMatch(/^result=unmet&/);
  });

  it("a repeat, with the response of the first", async () => {
    const { attest } = attestations(service);
    const form = { ...JUNIT, attestation_name: "repeated" };
    const first = await attest("junit", "web", form, { trail: "d" });
    expect(matchOf(await attest("junit", "web", form, { trail: "d" }))).toEqual(matchOf(first));
  });

  it("and how an attestation was evaluated", async () => {
    const { attest } = attestations(service);
    const verdictOf = async (failures: number) => {
      const junit_results = JUNIT.junit_results.map((suite) => ({ ...suite, failures }));
      return (await attest("junit", "plain", { junit_results })).headers["x-compliant"];
    };
    expect([await verdictOf(0), await verdictOf(1)]).toEqual(["true", "false"]);
  });
});

function commit() {
  return { sha1: COMMIT, message: "m", author: "a <a@example.com>", branch: "main", timestamp: 1 };
}
