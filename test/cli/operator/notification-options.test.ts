import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notificationsFrom, secretKeyWarning } from "../../../src/cli/operator/serve-options.ts";
import { runHere } from "../terminal.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-options-"));
});
afterAll(() => rm(folder, { recursive: true }));

const HEX = "0f".repeat(32);
const BASE64 = Buffer.from(HEX, "hex").toString("base64");
const MAIL = "smtps://ada:hunter2@mail.example.com";

async function file(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, text);
  return path;
}

describe("notification options", () => {
  it("are empty by default", async () => {
    expect(await notificationsFrom({}, {})).toEqual({});
  });

  it("can be options, variables and files", async () => {
    const byOptions = await notificationsFrom(
      {
        ...{ "allow-targets": "10.0.0.0/8, fd00::/8,192.0.2.7", "allow-http-targets": true },
        "github-hosts": "GitHub.example.com, ghe.corp:8443",
        ...{ "smtp-url-file": await file(`${MAIL}\n`), "mail-from": "evidence@example.com" },
        "secret-key-file": await file(`${BASE64}\n`),
      },
      {},
    );
    expect(byOptions).toMatchObject({
      outgoing: {
        allowTargets: ["10.0.0.0/8", "fd00::/8", "192.0.2.7"],
        allowHttpTargets: true,
        githubHosts: ["github.example.com", "ghe.corp:8443"],
      },
      mail: { url: MAIL, from: "evidence@example.com" },
    });
    const byVariables = await notificationsFrom(
      {},
      {
        ...{ EVIDENCE_ALLOW_TARGETS: "10.0.0.0/8,fd00::/8,192.0.2.7", EVIDENCE_ALLOW_HTTP_TARGETS: "true" },
        EVIDENCE_GITHUB_HOSTS: "GitHub.example.com, ghe.corp:8443",
        ...{ EVIDENCE_SMTP_URL: MAIL, EVIDENCE_MAIL_FROM: "evidence@example.com", EVIDENCE_SECRET_KEY: HEX },
      },
    );
    expect(byVariables).toEqual(byOptions);
  });

  it.each([
    [
      { "allow-targets": "10.0.0.0/40" },
      "--allow-targets must be addresses or networks such as 10.0.0.0/8, got '10.0.0.0/40'",
    ],
    [{ "github-hosts": "https://github.example.com" }, "--github-hosts must be host names such as"],
    [{ "github-hosts": "ghe.corp:443" }, "got 'ghe.corp:443'"],
    [
      { "allow-targets": "intranet" },
      "--allow-targets must be addresses or networks such as 10.0.0.0/8, got 'intranet'",
    ],
    [{ "mail-from": "a@example.com" }, "--mail-from needs --smtp-url"],
    [{ "smtp-url": MAIL }, "--smtp-url needs --mail-from"],
    [{ "smtp-url": "http://ada:hunter2@x", "mail-from": "a@x" }, "--smtp-url must be an address such as"],
    [{ "smtp-url": MAIL, "smtp-url-file": "x" }, "Set --smtp-url or --smtp-url-file, not both"],
    [{ "secret-key-file": "/nowhere/key" }, "Cannot read the key of secrets from the file /nowhere/key"],
  ])("refuses %j", async (values, message) => {
    const refusal = await notificationsFrom(values, {}).then(() => "", String);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain("hunter2");
  });

  it("are refused with a key of zeros, and warned of if others can read the key", async () => {
    const zeros = await file("0".repeat(64));
    await expect(notificationsFrom({ "secret-key-file": zeros }, {})).rejects.toThrow(
      `${zeros} contains only zeros`,
    );
    const key = await file(BASE64);
    await chmod(key, 0o644);
    const inFolder = { isOnServer: false };
    expect(await secretKeyWarning({ "secret-key-file": key }, {}, inFolder)).toContain(`Run chmod o= ${key}`);
    expect(await secretKeyWarning({}, { EVIDENCE_SECRET_KEY_FILE: key }, inFolder)).toContain(key);
    await chmod(key, 0o640);
    expect(await secretKeyWarning({ "secret-key-file": key }, {}, inFolder)).toBeUndefined();
  });

  it("are warned of if a service on PostgreSQL has no key", async () => {
    const onServer = { isOnServer: true };
    expect(await secretKeyWarning({}, {}, onServer)).toContain("Set --secret-key-file");
    expect(await secretKeyWarning({}, { EVIDENCE_SECRET_KEY: BASE64 }, onServer)).toBeUndefined();
    expect(await secretKeyWarning({}, {}, { isOnServer: false })).toBeUndefined();
  });

  it.each(["yes", "1", "TRUE"])("are refused when a variable is '%s' instead of true", async (said) => {
    const asked = notificationsFrom({}, { EVIDENCE_ALLOW_HTTP_TARGETS: said });
    await expect(asked).rejects.toThrow(`EVIDENCE_ALLOW_HTTP_TARGETS must be true or false, got '${said}'`);
  });

  it("are refused by serve with an invalid key, which is not repeated", async () => {
    const env = { EVIDENCE_SECRET_KEY: "a-short-key" };
    const { status, stderr } = await runHere(["serve", "--data", join(folder, "records")], { env });
    expect(status).not.toBe(0);
    expect(stderr).toContain("EVIDENCE_SECRET_KEY: must be 32 bytes as base64 or hex");
    expect(stderr).not.toContain("a-short-key");
  });
});
