import { expect, onTestFinished, test } from "vitest";
import { startTestService } from "../service/running-service.ts";
import { blocksOf, proseOf } from "./pages.ts";
import { pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/concepts.md");

test("the commands of docs/concepts.md lead from a flow to a snapshot", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  service.clock.time = Math.floor(Date.now() / 1000);
  const steps = blocksOf(sectionOf(page, "A complete example")).filter(({ language }) => language === "sh");
  const mark = "---- the next step ----";
  const printed = await runCommands(service, steps.map(({ text }) => text).join(`echo '${mark}'\n`));
  const [first = "", second = "", third = ""] = printed.split(mark);
  expect(first).toContain('"compliant": false');
  expect(second).toContain('"compliant": true');
  const snapshot = JSON.parse(third.slice(third.indexOf('{\n  "index"')));
  expect(snapshot).toMatchObject({ index: 1, state: true, artifacts: [{ flow_name: "web" }] });
});

test("docs/concepts.md has one drawing of its ten concepts", () => {
  const drawings = blocksOf(page).filter(({ language }) => language === "mermaid");
  expect(drawings).toHaveLength(1);
  const concepts = [...proseOf(page).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, name = ""]) => name);
  expect(concepts).toHaveLength(10);
  expect(concepts.filter((name) => !drawings[0]?.text.includes(name))).toEqual([]);
});
