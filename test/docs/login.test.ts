import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runHere } from "../cli/terminal.ts";
import { answerAs, startWaiting } from "../cli/waiting-login.ts";
import { startLoginProvider } from "../identity/login-provider.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { blocksOf, pages } from "./pages.ts";

const page =
  pages.find(({ path }) => path === "docs/command-line.md") ?? expect.fail("there is no such page");

test("a person signs in, works and signs out with the commands of docs/command-line.md", async () => {
  const [login = "", ...others] =
    blocksOf(page)
      .find(({ text }) => text.includes("delivery-evidence login"))
      ?.text.trim()
      .split("\n")
      .map((line) => line.replace("npx delivery-evidence ", "")) ?? [];
  expect(others.map((command) => command.split(" ")[0])).toEqual(["whoami", "call", "logout"]);
  const provider = await startLoginProvider();
  onTestFinished(() => provider.close());
  const roleMap = [{ org: ORG, role: "reader" }] as const;
  const service = await startTestService({}, { loginProviders: [provider.settings({ roleMap })] });
  onTestFinished(() => service.dispose());
  await provider.allow(service.address);
  const home = await mkdtemp(join(tmpdir(), "evidence-home-"));
  onTestFinished(() => rm(home, { recursive: true }));

  const words = login.replace("https://evidence.example.com", service.address).split(" ");
  const waiting = await startWaiting(words, { HOME: home });
  await answerAs({ service, login: "ada" }, waiting, "Approve");
  expect((await waiting.ended).status).toBe(0);
  for (const command of others) {
    const { status, stderr } = await runHere(command.split(" "), { env: { HOME: home } });
    expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: "" });
  }
});
