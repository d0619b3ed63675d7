import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loginProvidersFrom } from "../../../src/cli/operator/login-options.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-login-"));
});
afterAll(() => rm(folder, { recursive: true }));

const provider = { name: "company", issuer: "https://login.example.com", client_id: "evidence" };

test.each([
  [{ ...provider, rolemap: [] }, "providers[0].rolemap is not a known field"],
  [
    { ...provider, role_map: [{ org: "acme", role: "boss" }] },
    /providers\[0\]\.role_map\[0\]\.role must be 'admin', .* not 'boss'$/,
  ],
  [{ ...provider, client_id: undefined }, "providers[0].client_id is required"],
])("a mistake in the file of providers is named with its place: %#", async (mistaken, message) => {
  const file = join(folder, "login.json");
  await writeFile(file, JSON.stringify({ providers: [mistaken] }));
  await expect(loginProvidersFrom(file, {})).rejects.toThrow(message);
});
