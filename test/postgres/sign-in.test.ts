import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signInAt, startLoginProvider, type TestProvider } from "../identity/login-provider.ts";
import { newDatabase } from "../records.ts";
import { visitor } from "../service/pages/visitor.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../service/running-service.ts";

let provider: TestProvider;
let first: TestService;
let second: TestService;
let folder: string;

beforeAll(async () => {
  provider = await startLoginProvider();
  const loginProviders = [
    provider.settings({
      roleMap: [
        { group: "shared", org: ORG, role: "member" },
        { group: "shared", org: OTHER_ORG, role: "reader" },
      ],
    }),
  ];
  const database = { url: await newDatabase() };
  folder = await mkdtemp(join(tmpdir(), "evidence-sign-in-"));
  const shared = { database, loginProviders, attachmentsAt: { folder } };
  first = await startTestService({}, shared);
  second = await startTestService({}, { ...shared, keys: first.keys, publicUrl: first.address });
  await provider.allow(first.address);
});
afterAll(async () => {
  await first.dispose();
  await second.dispose();
  await provider.close();
  await rm(folder, { recursive: true });
});

it("a person signs in at one instance, and is known at all until signing out at any", async () => {
  provider.people.set("ada", { name: "Ada Lovelace", groups: ["shared"] });
  const user = visitor(first);
  const begun = await user.get("/login/company");
  const callback = new URL(await signInAt(String(begun.headers["location"]), "ada"));
  const elsewhere = visitor(second);
  const share = (from: typeof user, to: typeof user) => {
    for (const [name, value] of from.cookies) to.cookies.set(name, value);
  };
  share(user, elsewhere);
  // The balancer may choose another instance for the way back.
  expect((await elsewhere.get(callback.pathname + callback.search)).status).toBe(303);
  share(elsewhere, user);
  for (const org of [ORG, OTHER_ORG]) expect((await user.get(`/${org}`)).status).toBe(200);
  expect((await user.send("/settings", { action: "/logout" })).status).toBe(200);
  expect((await elsewhere.get(`/${ORG}`)).status).toBe(303);
});

it("one person comes of many first sign-ins at once", async () => {
  provider.people.set("bob", { name: "Ada Lovelace", groups: ["shared"] });
  const signIns = Array.from({ length: 8 }, async (_, number) => {
    const user = visitor(number % 2 === 0 ? first : second);
    const begun = await user.get("/login/company");
    const callback = new URL(await signInAt(String(begun.headers["location"]), "bob"));
    return (await user.get(callback.pathname + callback.search)).status;
  });
  expect(await Promise.all(signIns)).toEqual(Array(8).fill(303));
  const user = visitor(second);
  const begun = await user.get("/login/company");
  const callback = new URL(await signInAt(String(begun.headers["location"]), "bob"));
  await user.get(callback.pathname + callback.search);
  // Ada has the name already.
  expect((await user.get("/settings")).text).toContain("Ada Lovelace (bob@example.com)");
});
