import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { INVITATION_SECONDS } from "../../src/api/resources/members.ts";
import { ROLES } from "../../src/api/resources/service-accounts.ts";
import { loginProvidersFrom } from "../../src/cli/operator/login-options.ts";
import { rolesFor } from "../../src/service/people/sign-in/role-map.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { blocksOf } from "./pages.ts";
import { pageNamed } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/people.md");
const block = (language: string) =>
  blocksOf(page).find((each) => each.language === language)?.text ?? expect.fail(`no block of ${language}`);

test("the file of docs/people.md names a provider and gives roles by group", async () => {
  const folder = await mkdtemp(join(tmpdir(), "people-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [secret, file] = [join(folder, "secret"), join(folder, "login.yml")];
  await writeFile(secret, "from-the-provider");
  await writeFile(file, block("yaml").replace("/run/secrets/evidence-client", secret));
  const [provider] = await loginProvidersFrom(file, {});
  if (provider === undefined) expect.fail("no provider");
  expect(provider).toMatchObject({
    name: "company",
    clientSecret: "from-the-provider",
    strict: true,
    sync: true,
  });
  const roleOf = (group: string) => rolesFor(provider, [group]).get(ORG);
  expect(roleOf("platform-admins")).toEqual({ role: "admin", scope: null });
  expect(roleOf("team-web")).toEqual({ role: "member", scope: null });
  expect(roleOf("payments")).toEqual({
    role: "approver",
    scope: { flows: ["payments-api"], environments: [] },
  });
  expect(roleOf("others")).toBeUndefined();
});

test("the command of docs/people.md invites a person", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  const printed = await runCommands(service, block("sh"));
  expect(printed).toMatch(/\/invitations\/[\w-]{43}/);
  const { body } = await send(service, { path: `/invitations/${ORG}`, key: service.keys.admin });
  expect(body).toMatchObject([{ email: "zoe@example.com", privilege: "member", flows: ["web"] }]);
});

test("docs/people.md has the order of roles and the lifetime of invitations", () => {
  expect(page.text.replaceAll("\n", " ")).toContain(`in this order: ${ROLES.join(", ")}.`);
  expect(page.text.replaceAll("\n", " ")).toContain("within seven days");
  expect(INVITATION_SECONDS / 86_400).toBe(7);
});
