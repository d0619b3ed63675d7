import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import type { RunningService } from "../../src/service/service.ts";
import { serveProgram } from "../cli/program.ts";
import { serveHere } from "../cli/served-here.ts";
import { NO_MAINTENANCE } from "../program-variables.ts";
import { example } from "./examples/example.ts";
import { blocksOf, root } from "./pages.ts";
import { pageNamed } from "./reference-pages.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = pageNamed("docs/tutorial.md");
const commands = blocksOf(page)
  .filter(({ language }) => language === "sh")
  .map((block) => block.text);
const [start, first, proxied, tunneled, reached, trust, key, create, push, again] = commands as string[];

const ADMIN_KEY = `de_${"a".repeat(43)}`;
const REPOSITORY = "https://github.com/acme/web.git";

let folder = "";
let service: RunningService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tutorial-"));
  // In place of `npm start`, which docs/first-record does.
  service = await serveHere(join(folder, "evidence"), { org: "acme", adminKey: ADMIN_KEY });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs commands of the page in the reader's terminal. */
function run(script: string, cwd = folder): Promise<string> {
  const own = `${first?.split("\n")[0]}\n${script}`
    .replaceAll("http://127.0.0.1:8800", service.address)
    .replaceAll("https://evidence.example.com", service.address)
    .replaceAll("de_...", ADMIN_KEY);
  writeFileSync(
    join(folder, "gitconfig"),
    `[user]\nname = Ada\nemail = ada@example.com\n[url "${join(folder, "web.git")}"]\ninsteadOf = ${REPOSITORY}\n`,
  );
  return runCommandsIn(cwd, own, {
    ...NO_MAINTENANCE,
    GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
    GIT_CONFIG_SYSTEM: "/dev/null",
  });
}

test("the tests below run every command of the page", () => {
  expect(start).toBe("npm ci\nnpm start\n");
  expect(packageFile.scripts.start).toBe("node src/cli.ts serve --data ./evidence --org acme");
  expect(commands).toHaveLength(10);
});

test.each([proxied, tunneled])("the service starts with %s", async (command = "") => {
  const [, options = ""] = /^npx delivery-evidence serve --data \.\/evidence (.*)\n$/.exec(command) ?? [];
  const data = join(folder, "other");
  const started = await serveProgram(["--data", data, "--org", "acme", ...options.split(" ")]);
  const ready = await fetch(`${started.address}/ready`);
  expect(started.errors()).not.toContain("plain HTTP");
  expect(await started.stop(), await ready.text()).toBe(0);
});

test("the commands for the service work in the order of the page", async () => {
  expect(await run(first ?? "")).toBe("[]\n");
  expect((await run(reached ?? "")).trim()).toBe("OK");
  expect(await run(trust ?? "")).toContain("acme/web");
  const [made = ""] = /de_\S+/.exec(await run(key ?? "")) ?? [];
  // The first step of the workflow, with that key.
  writeFileSync(
    join(folder, "evidence.yml"),
    example("docs/tutorial.md: Deliver").files["evidence.yml"] ?? "",
  );
  const step = `'${process.execPath}' '${root}scripts/step.ts' begin-trail org=acme flow=web trail=first`;
  expect(await run(`export EVIDENCE_API_KEY=${made}\n${step} flow-template-file=evidence.yml`)).toContain(
    "/acme/flows/web/trails/first",
  );
});

test("the commands for the repository push a project whose test passes", async () => {
  expect(spawnSync("git", ["init", "--bare", "-q", "-b", "main", join(folder, "web.git")]).status).toBe(0);
  await run(create ?? "");
  const { workflow, files } = example("docs/tutorial.md: Deliver");
  const web = join(folder, "web");
  for (const [path, content] of Object.entries(files)) writeFileSync(join(web, path), content);
  writeFileSync(join(web, ".github/workflows/deliver.yml"), workflow.text);
  await run(push ?? "", web);
  const tests = spawnSync(process.execPath, ["--test"], { cwd: web, encoding: "utf8", env: {} });
  expect(tests.status, tests.stdout).toBe(0);
  writeFileSync(join(web, "evidence.yml"), `${readFileSync(join(web, "evidence.yml"), "utf8")}# changed\n`);
  await run(again ?? "", web);
  const pushed = spawnSync("git", ["log", "--format=%s", "main"], {
    cwd: join(folder, "web.git"),
    encoding: "utf8",
  });
  expect(pushed.stdout).toBe("Record the test results\nDeliver with evidence\n");
});
