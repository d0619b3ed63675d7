import { afterAll, beforeAll, expect, test } from "vitest";
import { controlPacks } from "../../src/service/evidence/controls/packs.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { blockIn, pageNamed } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/control-packs.md");

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

test("docs/control-packs.md lists the packs", () => {
  for (const { name, version, title, source, controls } of controlPacks())
    expect(page.text).toContain(`| \`${name}@${version}\` | [${title}](${source}) | ${controls.length} |`);
});

test("docs/control-packs.md imports a pack, with the output that it shows", async () => {
  const printed = await runCommands(service, blockIn(page, "Import a pack", "sh").text, { role: "admin" });
  expect(printed).toContain(`\n${blockIn(page, "Import a pack", "text").text.trim()}\n`);
  const again = await runCommands(service, "npx delivery-evidence controls import osps", { role: "admin" });
  expect(again).toContain("0 created, 0 updated, 41 unchanged, 0 kept");
});

test("the evidence map names controls of packs", () => {
  const known = new Set(controlPacks().flatMap(({ controls }) => controls.map((each) => each.identifier)));
  const [, map = ""] = page.text.split("| Control | Evidence |");
  const named = [...(map.split("\n\n")[0] ?? "").matchAll(/`([^`]+)`/g)].map(
    ([, identifier = ""]) => identifier,
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((identifier) => !known.has(identifier))).toEqual([]);
});
