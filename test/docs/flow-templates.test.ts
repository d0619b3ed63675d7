import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseTemplate, TemplateError } from "../../src/service/evidence/flows/template-upload.ts";
import { COMMIT, FP, pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/flow-templates.md");
const template = blockIn(page, "Flow templates", "yaml").text;
const rowsBelow = (heading: string) => tablesOf(sectionOf(page, heading)).flatMap(({ rows }) => rows);

const slot = (type: string, name = "a") => `trail: { attestations: [{ name: "${name}", type: "${type}" }] }`;

describe("docs/flow-templates.md", () => {
  test.each(rowsBelow("Common errors").map(([written = ""]) => codeIn(written)[0] ?? ""))(
    "%s is refused",
    (written) => {
      expect(() => parseTemplate(written)).toThrow(TemplateError);
    },
  );

  test("lists the types that a slot can have", () => {
    const types = rowsBelow("Types").map(([type = ""]) => codeIn(type)[0] ?? "");
    for (const type of types) expect(() => parseTemplate(slot(type))).not.toThrow();
    for (const other of ["test", "sarif", "override", "system:"]) {
      expect(() => parseTemplate(slot(other))).toThrow(TemplateError);
    }
    expect(types).toHaveLength(11);
  });

  test("lists the characters and lengths of names", () => {
    const [artifact = "", attestation = ""] = rowsBelow("Names").map(
      ([, characters = ""]) => `aB1${codeIn(characters).join("")}`,
    );
    const listing = (name: string) => parseTemplate(`trail: { artifacts: [{ name: "${name}" }] }`);
    expect(listing(artifact)).toBeDefined();
    expect(() => listing(attestation)).toThrow(TemplateError);
    expect(parseTemplate(slot("junit", attestation))).toBeDefined();
    expect(parseTemplate(slot("junit", "a".repeat(255)))).toBeDefined();
    expect(() => parseTemplate(slot("junit", "a".repeat(256)))).toThrow(TemplateError);
  });

  test("requires nothing of a file without a trail", () => {
    expect(parseTemplate("version: 1")).toEqual({ attestations: [], artifacts: [] });
  });
});

describe("a trail by the template of docs/flow-templates.md", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    const commands = blockIn(page, "Set the template of a flow", "sh").text;
    await runCommands(service, commands, { files: { "evidence.yml": template } });
  });
  afterAll(() => service.dispose());

  const statusOf = async (name: string) =>
    (await send(service, { path: `/trails/${ORG}/web/${name}` })).body.compliance_status.status;
  const artifactStatus = async (query = "") =>
    (await pipeline(service).assert(FP, `?flow_name=web${query}`)).body.compliance_status;
  const attest = (kind: string, form: object) =>
    send(service, { method: "POST", path: `/attestations/${ORG}/web/trail/change/${kind}`, form });

  /** Tests whose results pass or fail. */
  const tests = (failures: number) =>
    attest("junit", {
      attestation_name: "unit-test",
      artifact_fingerprint: FP,
      junit_results: [{ name: "all", failures, errors: 0, skipped: 0, total: 2, duration: 1 }],
    });

  test("is incomplete, fails and passes as the page says", async () => {
    const { trail, artifact, attest: attestGeneric } = pipeline(service);
    await trail("web", "change");
    expect(await statusOf("change")).toBe("INCOMPLETE");
    await artifact("web", "change", { template_reference_name: "app" });
    expect((await attestGeneric("web", "change", { attestation_name: "review" })).status).toBe(201);
    await attestGeneric("web", "change", { attestation_name: "sbom", artifact_fingerprint: FP });
    expect((await tests(1)).status).toBe(201);
    expect(await statusOf("change")).toBe("NON-COMPLIANT");
    expect((await tests(0)).status).toBe(201);
    // The review has the right name and another type.
    expect(await statusOf("change")).toBe("INCOMPLETE");
    expect((await artifactStatus()).status).toBe("INCOMPLETE");
    const pull = { url: "https://github.com/acme/web/pull/7", state: "MERGED", merge_commit: COMMIT };
    await attest("pull_request", {
      attestation_name: "review",
      git_provider: "github",
      pull_requests: [pull],
    });
    expect(await statusOf("change")).toBe("COMPLIANT");
    expect((await artifactStatus()).status).toBe("COMPLIANT");
  });

  test("keeps its template when the flow gets another one", async () => {
    await pipeline(service).flow("web", "version: 1");
    await pipeline(service).trail("web", "later");
    expect(await statusOf("later")).toBe("COMPLIANT");
    const { body } = await send(service, { path: `/trails/${ORG}/web/change` });
    expect(body.template.content).toBe(template);
  });

  test("counts records beyond the template only if they fail", async () => {
    const { attest: extra } = pipeline(service);
    await extra("web", "change", { attestation_name: "lint" });
    expect(await statusOf("change")).toBe("COMPLIANT");
    await extra("web", "change", { attestation_name: "lint", is_compliant: false });
    expect(await statusOf("change")).toBe("NON-COMPLIANT");
  });

  test("requires nothing of an artifact that it does not list", async () => {
    await pipeline(service).flow("other", template);
    await pipeline(service).trail("other", "t");
    const fingerprint = "b".repeat(64);
    await pipeline(service).artifact("other", "t", { fingerprint, filename: "tool.tgz" });
    const { body } = await pipeline(service).assert(fingerprint, "?flow_name=other");
    expect(body.compliance_status.unexpected).toBe(true);
    // Nothing is required of it. The review of the trail is required.
    expect(body.compliance_status.attestations_statuses).toMatchObject([{ attestation_name: "review" }]);
  });
});
