import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { CLI } from "../cli/command.ts";
import { serveProgram } from "../cli/program.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { blocksOf } from "./pages.ts";
import { pageNamed } from "./reference-pages.ts";

const blocks = ["docs/service.md", "docs/audit-log.md"].map(pageNamed).flatMap(blocksOf);
const commandsWith = (word: string) =>
  blocks.find(({ language, text }) => language === "sh" && text.includes(word))?.text ??
  expect.fail(`no commands with ${word}`);
const entry = JSON.parse(
  blocks.find(({ language, text }) => language === "json" && text.includes('"act"'))?.text ?? "",
);

/** Every path in a value, so that two can be compared regardless of content: `resource.name`. */
function places(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([field, item]) => places(item, `${path}.${field}`));
}

test("the commands about organizations and the audit log do what the page says", async () => {
  const folder = await mkdtemp(join(tmpdir(), "docs-audit-log-"));
  const env = { EVIDENCE_ADMIN_KEY: `de_${"a".repeat(43)}` };
  const service = await serveProgram(["--data", join(folder, "evidence")], { env });
  onTestFinished(async () => {
    await service.stop("SIGKILL");
    await rm(folder, { recursive: true });
  });
  const run = (commands: string, variables: Record<string, string> = {}) => {
    const npx = `set -e; npx() { shift; '${process.execPath}' '${CLI}' "$@"; }`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", `${npx}\n${commands}`], {
      cwd: folder,
      encoding: "utf8",
      env: { ...COMPILE_CACHE, PATH: process.env["PATH"] ?? "", ...variables },
    });
    expect(status, stderr).toBe(0);
    return stdout;
  };

  const [key = "", , , acme = ""] = run(commandsWith("orgs create")).split("\n");
  expect(key).toMatch(/^de_/);
  expect(acme).toMatch(/^acme +\d{4}-\d\d-\d\d +1 +0 +0$/);

  const variables = { EVIDENCE_BASE_URL: service.address, EVIDENCE_ORG: "acme", EVIDENCE_API_KEY: key };
  const admin = new EvidenceClient({ baseUrl: service.address, org: "acme", apiKey: key });
  await admin.createServiceAccount({ body: { name: "ci", privilege: "member" } });
  const { body: created } = await admin.createApiKey({ name: "ci", body: { description: "for CI" } });
  const ci = new EvidenceClient({ baseUrl: service.address, org: "acme", apiKey: created.key });
  const body = { name: "web", description: "" };
  await ci.createFlowWithTemplate({ body });
  const templateFile = { name: "template.yml", content: new Blob(["version: 1\n"]) };
  await ci.createFlowWithTemplate({ body, files: { templateFile } });
  await Promise.all([admin.close(), ci.close()]);

  const { data } = JSON.parse(run(commandsWith("listAuditLog"), variables));
  expect(data).toMatchObject([{ act: entry.act, account: "ci" }, { act: "flow.created" }]);
  expect(places(data[0])).toEqual(places(entry));
});
