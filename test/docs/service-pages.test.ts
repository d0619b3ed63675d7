import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI } from "../cli/command.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { signedIn, visitor } from "../service/pages/visitor.ts";
import { pipeline } from "../service/requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../service/running-service.ts";
import { blocksOf, codeIn, pages, tablesOf } from "./pages.ts";

const page = pages.find(({ path }) => path === "docs/pages.md") ?? expect.fail("there is no such page");
const commands = blocksOf(page)
  .filter(({ language }) => language === "sh")
  .flatMap(({ text: lines }) => lines.trim().split("\n"));
const [, FINGERPRINT = ""] = /artifact web ([0-9a-f]{64})/.exec(page.text) ?? [];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  service.clock.time = Date.now() / 1000;
  const { flow, trail, artifact, environment } = pipeline(service);
  await flow("web");
  await trail("web", "v1.2", { git_commit_info: { sha1: "c".repeat(40), branch: "main" } });
  await artifact("web", "v1.2", { fingerprint: FINGERPRINT });
  await environment("production");
});
afterAll(() => service.dispose());

/** The link that a command of the page prints. Its date is replaced by one in the future. */
async function printedBy(shown: string): Promise<string> {
  const soon = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const command = shown.replace(/(--until) \S+/, `$1 ${soon}`);
  const npx = `npx() { shift; '${process.execPath}' '${CLI}' "$@"; }`;
  const child = spawn("bash", ["-c", `${npx}\n${command}`], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...COMPILE_CACHE,
      PATH: process.env["PATH"] ?? "",
      EVIDENCE_BASE_URL: service.address,
      EVIDENCE_ORG: ORG,
      EVIDENCE_API_KEY: service.keys.member,
    },
  });
  const [printed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const url = printed.trim();
  expect(url).toContain(`${service.address}/`);
  return url;
}

describe("docs/pages.md", () => {
  test.each(commands)("%s prints a link that opens", async (command) => {
    const stranger = visitor(service);
    const first = await stranger.get(await printedBy(command));
    const { status } = first.status === 303 ? await stranger.get(String(first.headers["location"])) : first;
    expect(status).toBe(200);
  });

  test("a badge is an image for visitors with its link, for a given branch", async () => {
    const url = await printedBy("npx delivery-evidence share badge web");
    const { headers, text: svg } = await visitor(service).get(`${url}&branch=main`);
    expect(headers["content-type"]).toBe("image/svg+xml");
    expect(svg).toContain("<title>delivery evidence: compliant</title>");
    expect((await visitor(service).get(`/${ORG}/flows/web/badge.svg`)).status).not.toBe(200);
  });

  test("errors are shown by a page in the words of the table", async () => {
    const table = tablesOf(page).find(({ header }) => header[0] === "What you see");
    const messages = (table?.rows ?? []).flatMap(([seen = ""]) => (/^`.*`$/.test(seen) ? codeIn(seen) : []));
    const account = await signedIn(service, service.keys.member);
    const shown = [
      await visitor(service).send("/login", { key: "de_wrong" }),
      await account.get(`/${OTHER_ORG}/flows`),
      await account.send("/settings", { theme: "dark" }, { "sec-fetch-site": "cross-site" }),
      await account.send("/settings", { theme: "dark", form_token: "of another session" }),
    ];
    // `…` is the name of an organization. The page of it has a test of its own: require-sso.test.ts.
    const always = messages.filter((message) => !message.includes("…"));
    expect(always).toHaveLength(shown.length);
    for (const [index, message] of always.entries()) expect(shown[index]?.text).toContain(message);
  });
});
