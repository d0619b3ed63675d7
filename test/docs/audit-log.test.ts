import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { serveHere } from "../cli/served-here.ts";
import { blocksOf } from "./pages.ts";
import { pageNamed } from "./reference-pages.ts";
import { runCommandsIn } from "./shell-commands.ts";

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
  const service = await serveHere(join(folder, "evidence"), { org: "default" });
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const [key = "", , , acme = ""] = (await runCommandsIn(folder, commandsWith("orgs create"))).split("\n");
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

  const { data } = JSON.parse(await runCommandsIn(folder, commandsWith("listAuditLog"), variables));
  expect(data).toMatchObject([{ act: entry.act, account: "ci" }, { act: "flow.created" }]);
  expect(places(data[0])).toEqual(places(entry));
});
