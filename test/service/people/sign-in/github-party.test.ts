import { request } from "undici";
import { expect, it } from "vitest";
import { startGitHubLogin } from "../../../identity/github-login.ts";
import { visitor } from "../../pages/visitor.ts";
import { ORG, startTestService } from "../../running-service.ts";

it("signs in with GitHub, with organizations and teams as groups and the id as the person", async () => {
  const orgs = Array.from({ length: 120 }, (_, number) => `org-${number}`);
  const person = {
    ...{ id: 7, login: "ada", name: null, orgs, teams: ["octo/platform"] },
    emails: [
      { email: "old@example.com", primary: false, verified: true },
      { email: "ada@example.com", primary: true, verified: true },
    ],
  };
  const github = await startGitHubLogin(person);
  const service = await startTestService(
    {},
    {
      loginProviders: [
        {
          ...{ name: "github", kind: "github", label: "GitHub", issuer: github.issuer, clientId: "c" },
          ...{
            clientSecret: "s",
            scopes: [],
            groupsClaim: "groups",
            scimClaim: "sub",
            allowedDomains: ["EXAMPLE.com"],
          },
          ...{ strict: true, sync: true },
          roleMap: [
            { group: "octo/security", org: ORG, role: "admin" },
            { group: "octo/*", org: ORG, role: "approver", flows: ["web"] },
          ],
        },
      ],
    },
  );
  const signIn = async () => {
    const user = visitor(service);
    const begun = await user.get("/login/github");
    const { headers } = await request(String(begun.headers["location"]));
    const callback = new URL(String(headers["location"]));
    return { user, answer: await user.get(callback.pathname + callback.search) };
  };
  const { user, answer } = await signIn();
  expect(answer.status).toBe(303);
  const settings = await user.get("/settings");
  expect(settings.text).toContain("ada");
  expect(settings.text).toContain("approver");
  // The name at GitHub may change.
  person.login = "ada-lovelace";
  person.orgs.push("octo");
  person.teams = ["octo/security"];
  const again = await signIn();
  expect((await again.user.get("/settings")).text).toContain("admin");
  expect((await user.get("/settings")).text).toContain("admin");
  await service.dispose();
  await github.close();
});
