import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textDigest } from "../../../src/cli/operator/control-packs.ts";
import { ORG, startTestService, type TestService } from "../../service/running-service.ts";
import { runHere } from "../terminal.ts";

let service: TestService;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  env = { EVIDENCE_API_KEY: service.keys.admin, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
});
afterAll(() => service.dispose());

const run = (...args: string[]) => runHere(["controls", ...args], { env });
const change = (operation: string, identifier: string, body: object) =>
  runHere(["call", operation, `identifier=${identifier}`, "--body", "-"], {
    env,
    input: JSON.stringify(body),
  });
const summary = ({ stdout }: { stdout: string }) => stdout.trimEnd().split("\n").at(-1);

describe("delivery-evidence controls", () => {
  it("creates the controls once, and keeps what a person changed or archived", async () => {
    const dry = await run("import", "slsa-build", "--dry-run");
    expect(summary(dry)).toContain("8 created, 0 updated, 0 unchanged, 0 kept. Nothing was changed");
    const first = await run("import", "slsa-build@1.2");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(summary(first)).toBe("slsa-build@1.2: 8 created, 0 updated, 0 unchanged, 0 kept");
    expect(summary(await run("import", "slsa-build"))).toContain("0 created, 0 updated, 8 unchanged, 0 kept");
    const listed = await runHere(["call", "listControls", "tag=framework:slsa-build"], { env });
    expect(JSON.parse(listed.stdout).controls).toHaveLength(8);

    await change("updateControl", "SLSA-BUILD-hosted", { name: "Our own words" });
    await runHere(["call", "archiveControl", "identifier=SLSA-BUILD-isolated"], { env });
    const again = await run("import", "slsa-build");
    expect(summary(again)).toContain("0 created, 0 updated, 6 unchanged, 2 kept");
    expect(again.stdout).toContain("SLSA-BUILD-hosted  kept: a person wrote or changed it");
    expect(again.stdout).toContain("SLSA-BUILD-isolated  kept: it is archived");
    const { stdout } = await runHere(["call", "getControl", "identifier=SLSA-BUILD-hosted"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ name: "Our own words", version: 2 });
  });

  it("updates a text that an earlier release imported", async () => {
    const text = { name: "Former words", description: "", links: {} };
    const identifier = "CRA-1.2f";
    await runHere(["call", "createControl", "--body", "-"], {
      env,
      input: JSON.stringify({ identifier, ...text }),
    });
    expect(summary(await run("import", "cra-annex-i", "--dry-run"))).toContain(
      "21 created, 0 updated, 0 unchanged, 1 kept",
    );
    await runHere(
      ["call", "updateTags", "resource_type=control", `resource_id=${identifier}`, "--body", "-"],
      {
        env,
        input: JSON.stringify({ set_tags: { "framework-text": textDigest(text), framework: "eu" } }),
      },
    );
    expect(summary(await run("import", "cra-annex-i"))).toContain(
      "21 created, 1 updated, 0 unchanged, 0 kept",
    );
    expect(summary(await run("import", "cra-annex-i"))).toContain(
      "0 created, 0 updated, 22 unchanged, 0 kept",
    );
    const { stdout } = await runHere(["call", "getControl", `identifier=${identifier}`], { env });
    expect(JSON.parse(stdout)).toMatchObject({ version: 2, tags: { framework: "eu" } });
  });

  it("lists the packs, also for an unknown name", async () => {
    const packs = "osps@2026.02.19 slsa-build@1.2 slsa-source@1.2 cra-annex-i@2024-2847 ssdf@1.1".split(" ");
    const { stdout } = await run("packs");
    expect(stdout.split("\n").flatMap((line) => line.split("  ")[0] || [])).toEqual(packs);
    for (const name of ["soc2", "osps@1"])
      expect(await run("import", name)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`PACK must be one of ${packs.join(", ")}, got '${name}'`),
      });
  });
});
