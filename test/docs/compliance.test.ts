import { expect, onTestFinished, test } from "vitest";
import { operations } from "../../src/api/resources/operations.ts";
import { pipeline } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";
import { codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/compliance.md");
const [recordTable, ...frameworks] = tablesOf(page);
const records = (recordTable?.rows ?? []).map(([name = ""]) => name);

test("each record of docs/compliance.md can be read with existing operations", () => {
  const named = (recordTable?.rows ?? []).map(([, , readWith = ""]) => codeIn(readWith));
  expect(named.filter((names) => names.length === 0)).toEqual([]);
  expect(named.flat().filter((name) => !(name in operations))).toEqual([]);
});

test.each(frameworks.map((table) => [table.name, table] as const))(
  "%s names records of the page only",
  (_, { header, rows }) => {
    expect(header.slice(1)).toEqual(["In short", "Can be evidence"]);
    const named = rows.flatMap(([, , evidence = ""]) => evidence.replace(/ with `.*`/, "").split(", "));
    expect(named.filter((name) => !records.includes(name))).toEqual([]);
    const controls = rows.map(([control]) => control);
    expect(new Set(controls).size).toBe(rows.length);
  },
);

test("docs/compliance.md covers six frameworks and uses every record", () => {
  expect(frameworks).toHaveLength(6);
  const used = frameworks.flatMap(({ rows }) => rows.map(([, , evidence = ""]) => evidence)).join(", ");
  expect(records.filter((name) => !used.includes(name))).toEqual([]);
});

test("the command of docs/compliance.md downloads an audit package", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  await pipeline(service).trail("web", "v1");
  await pipeline(service).attest("web", "v1", {}, [{ name: "report.txt", content: "all good" }]);
  const command = blockIn(page, "Evidence for audits", "sh").text;
  const listed = await runCommands(service, `${command}tar -tzf web-v1-audit-package.tgz`);
  expect(listed).toContain("manifest.json");
  expect(listed).toContain("report.txt");
});
