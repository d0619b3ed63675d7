import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attestations } from "../service/attestation-requests.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/custom-attestation-types.md");
const rowsBelow = (heading: string) => tablesOf(sectionOf(page, heading)).flatMap(({ rows }) => rows);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

/** Records data of a type, in a separate trail. */
async function attested(type: string, data: unknown, trail: string) {
  const { attest, ofTrail } = attestations(service);
  const { status, body } = await attest(
    "custom",
    "types",
    { type_name: type, attestation_data: data },
    { trail },
  );
  const [record] = status === 201 ? (await ofTrail("types", "unit", trail)).body : [];
  return { status, body, record };
}

describe("docs/custom-attestation-types.md", () => {
  test("creates a type that evaluates as the page says", async () => {
    await runCommands(service, blockIn(page, "Custom attestation types", "sh").text);
    const sentence = page.text.split("\n").find((line) => line.startsWith("Now `")) ?? "";
    const [good, bad, refused] = codeIn(sentence).map((data) => JSON.parse(data));
    expect((await attested("coverage", good, "good")).record.is_compliant).toBe(true);
    expect((await attested("coverage", bad, "bad")).record.is_compliant).toBe(false);
    expect(await attested("coverage", refused, "refused")).toMatchObject({
      status: 400,
      body: { code: "attestation.schema_mismatch" },
    });
  });

  test("records an attestation of it", async () => {
    await runCommands(service, blockIn(page, "Record an attestation", "sh").text);
    const [record] = (await attestations(service).ofTrail("web", "coverage", "v1")).body;
    expect(record).toMatchObject({
      attestation_type: "custom:coverage",
      is_compliant: true,
      type_version: 1,
    });
  });

  const examples = rowsBelow("Rules").map(
    ([data = "", rule = "", result = ""], index) =>
      [codeIn(rule)[0] ?? "", codeIn(data)[0] ?? "", result, `rule-${index}`] as const,
  );
  test.each(examples)("the rule %s makes %s %s", async (rule, data, result, name) => {
    const evaluator = { content_type: "jq", rules: [rule] };
    expect((await attestations(service).customType({ name, evaluator })).status).toBe(201);
    const { record } = await attested(name, data, name);
    expect(record.is_compliant).toBe(result.startsWith("compliant"));
    expect("evaluation_error" in record).toBe(result.includes("with an error"));
  });

  test.each(
    rowsBelow("Common errors").map(
      ([written = "", field = ""]) => [codeIn(written)[0] ?? "", codeIn(field)[0] ?? ""] as const,
    ),
  )("%s is refused for %s", async (written, field) => {
    const { status, body } = await attestations(service).customType({ name: "x", ...JSON.parse(written) });
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  test("a schema may be of draft-07, and may not refer to another document", async () => {
    const { customType } = attestations(service);
    const [, draft07 = ""] = /`(http:\S+draft-07\S+)`/.exec(page.text) ?? [];
    expect((await customType({ name: "draft-07" }, { $schema: draft07, type: "object" })).status).toBe(201);
    expect((await customType({ name: "elsewhere" }, { $ref: "https://elsewhere.example/s" })).status).toBe(
      400,
    );
    const lookahead = { properties: { a: { pattern: "a(?=b)" } } };
    expect((await customType({ name: "lookahead" }, lookahead)).status).toBe(400);
    expect((await customType({ name: "keyword" }, { myKeyword: true })).status).toBe(201);
  });

  test("a new version replaces the former one, and restores an archived type", async () => {
    const { customType, customTypes, archiveType } = attestations(service);
    await customType({ name: "versions", evaluator: { content_type: "jq", rules: ["false"] } });
    const before = await attested("versions", {}, "version-1");
    await archiveType("versions");
    expect((await attested("versions", {}, "archived")).status).toBe(404);
    await customType({ name: "versions" });
    expect((await attested("versions", {}, "version-2")).record).toMatchObject({
      is_compliant: true,
      type_version: 2,
    });
    expect(before.record).toMatchObject({ is_compliant: false, type_version: 1 });
    expect((await customTypes("/versions")).body).toMatchObject({
      archived: false,
      versions: [{ version: 2 }, { version: 1 }],
    });
  });
});
