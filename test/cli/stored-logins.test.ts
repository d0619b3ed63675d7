import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findLogin, openLoginStore, removeLogin } from "../../src/cli/stored-logins.ts";

const LOGIN = { url: "https://evidence.example.com", token: "dep_x", org: "acme", expires_at: 4_000_000_000 };
const platform = Object.getOwnPropertyDescriptor(process, "platform");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-logins-"));
});
afterEach(async () => {
  if (platform !== undefined) Object.defineProperty(process, "platform", platform);
  await rm(folder, { recursive: true, force: true });
});

function runOn(name: NodeJS.Platform): void {
  Object.defineProperty(process, "platform", { ...platform, value: name });
}

it.each([
  ["win32", ["APPDATA", "XDG_CONFIG_HOME", "HOME"], ["APPDATA"]],
  ["win32", ["XDG_CONFIG_HOME", "HOME"], ["XDG_CONFIG_HOME"]],
  ["linux", ["APPDATA", "XDG_CONFIG_HOME", "HOME"], ["XDG_CONFIG_HOME"]],
  ["linux", ["APPDATA", "HOME"], ["HOME", ".config"]],
] as const)("logins on %s with %j are stored below %j", async (name, variables, below) => {
  runOn(name);
  const environment = Object.fromEntries(variables.map((each) => [each, join(folder, each)]));
  await (await openLoginStore(environment)).store(LOGIN);
  expect(await readdir(folder)).toEqual([below[0]]);
  const [file = "", ...others] = await readdir(join(folder, ...below, "delivery-evidence", "logins"));
  expect(others).toEqual([]);
  expect(file).toMatch(/^[0-9a-f]{32}\.json$/);
  expect(await findLogin(environment, `${LOGIN.url}/api/v2`)).toEqual(LOGIN);
  await removeLogin(environment, LOGIN);
  expect(await findLogin(environment, undefined)).toBeUndefined();
});

it("a Windows machine without a folder for settings gets advice", async () => {
  runOn("win32");
  await expect(openLoginStore({ APPDATA: "" })).rejects.toThrow("Set HOME or XDG_CONFIG_HOME");
});
