import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSpool } from "../../src/spool/read.ts";
import { sha256 } from "../spool/fixtures.ts";
import { gitHubOf } from "./github-of-artifacts.ts";
import { startJob } from "./workspace.ts";

/** A closed port. */
const DOWN = { "base-url": "http://127.0.0.1:9", retries: "0", "on-unavailable": "spool", trail: "t1" };

describe("when the service is down, a job that spools", () => {
  test("continues, uploads its evidence as artifacts, and a later run records all of it once", async () => {
    await using job = await startJob();
    await job.write("app.tgz", "built");
    await job.write("log.txt", "all is well");
    const fingerprint = sha256("built");
    const origin = { "origin-url": "https://ci.example/7" };

    const reported = await job.step("attest", {
      ...DOWN,
      ...origin,
      kind: "artifact",
      name: "app",
      artifact: "app.tgz",
    });
    expect(reported).toMatchObject({ outcome: "success", outputs: { status: "spooled", fingerprint } });
    const attested = await job.step("attest", {
      ...DOWN,
      name: "app.unit",
      fingerprint,
      compliant: "true",
      attachments: "log.txt",
    });
    expect(attested.outputs).toMatchObject({ status: "spooled", compliant: "true", "request-id": "" });
    expect(attested.annotations.map(({ level }) => level)).toEqual(["warning"]);
    expect(attested.summary).toContain("spooled");
    const uploaded = [reported, attested].map(({ outputs }) => outputs["spool-artifact"] ?? "");
    expect((await readdir(job.artifacts)).sort()).toEqual(uploaded.sort());
    expect(uploaded[0]).toMatch(/^delivery-evidence-spool-77-1-[0-9a-f]{8}$/);

    const github = await gitHubOf(job.artifacts);
    const replay = () => job.step("replay", {}, { api_url: github.url, token: "ghs_token" });
    expect((await replay()).outputs).toEqual({ status: "recorded", replayed: "2", found: "1", left: "0" });
    expect((await replay()).outputs).toEqual({ status: "recorded", replayed: "0", found: "3", left: "0" });
    const about = { flowName: "web", fingerprint, attestationName: "unit" };
    const { body } = await job.client.getArtifactAttestation(about);
    expect(
      body.map(({ isCompliant, evidenceArchiveFingerprint }) => [isCompliant, evidenceArchiveFingerprint]),
    ).toEqual([[true, sha256("all is well")]]);
  });

  test("sends spooled evidence in order with the next step that reaches the service", async () => {
    await using job = await startJob();
    await job.step("attest", { ...DOWN, name: "first", compliant: "true" });
    const second = await job.step("attest", {
      trail: "t1",
      "on-unavailable": "spool",
      name: "second",
      compliant: "true",
    });
    expect(second.outputs).toMatchObject({ status: "recorded", "spool-artifact": "", "spool-folder": "" });
    const { body } = await job.client.listFlowAttestations({ flowName: "web" });
    expect(body.data.map(({ attestationName }) => attestationName)).toEqual(["second", "first"]);
  });

  test("uploads a manifest's spooled entries though another entry failed", async () => {
    await using job = await startJob();
    await job.write(
      "evidence.yml",
      "- { name: kept, compliant: 'true' }\n- { name: lost, compliant: 'true', on-unavailable: fail }\n",
    );
    const { outcome, outputs } = await job.step("attest", { ...DOWN, manifest: "evidence.yml" });
    expect({ outcome, status: outputs["status"] }).toEqual({ outcome: "failure", status: "failed" });
    const [artifact = ""] = await readdir(job.artifacts);
    expect(artifact).toBe(outputs["spool-artifact"]);
    expect(await readSpool(join(job.artifacts, artifact))).toHaveLength(1);
  });

  test("fails for an override or a decision, which are never spooled, and keeps facts", async () => {
    await using job = await startJob();
    const data = JSON.stringify({ reason: "flaky", original_attestation_type: "junit" });
    const gates = [
      ["overrideAttestation", { kind: "override", name: "unit", compliant: "true", data }],
      ["attestSystem", { kind: "decision", name: "unit", compliant: "true", control: "SDLC-1" }],
    ] as const;
    for (const [operation, inputs] of gates) {
      const { outcome, outputs, annotations } = await job.step("attest", { ...DOWN, ...inputs });
      expect({ outcome, artifact: outputs["spool-artifact"] }).toEqual({ outcome: "failure", artifact: "" });
      expect(annotations.map(({ message }) => message).join("")).toContain(
        `${operation} cannot be spooled: only evidence can`,
      );
    }
    const facts = { name: "unit", record: "facts", compliant: "true" };
    expect((await job.step("attest", { ...DOWN, ...facts })).outputs["status"]).toBe("spooled");
  });

  test("fails without an upload when the evidence is rejected", async () => {
    await using job = await startJob();
    const unknown = { name: "unit", compliant: "true", fingerprint: sha256("unknown") };
    const { outcome, outputs } = await job.step("attest", { "on-unavailable": "spool", ...unknown });
    expect({ outcome, artifact: outputs["spool-artifact"] }).toEqual({ outcome: "failure", artifact: "" });
    await expect(readdir(job.artifacts)).rejects.toThrow("ENOENT");
  });

  test("fails when the artifact cannot be uploaded, since the evidence would be lost with the job", async () => {
    await using job = await startJob();
    await writeFile(job.artifacts, "in the way");
    const { outcome } = await job.step("attest", { ...DOWN, name: "unit", compliant: "true" });
    expect(outcome).toBe("failure");
  });
});
