import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signInAt, startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { signInWith } from "../../../identity/signed-in-person.ts";
import { recordsOfTest } from "../../../records.ts";
import { formOn, type Visitor, visitor } from "../../pages/visitor.ts";
import { send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let first: TestProvider;
let second: TestProvider;
let service: TestService;
let number = 0;

beforeAll(async () => {
  [first, second] = [await startLoginProvider(), await startLoginProvider()];
  const roles = (group: string) => [
    { group: "readers", org: ORG, role: "reader" as const },
    { group, org: ORG, role: "member" as const },
  ];
  service = await startTestService(
    {},
    {
      ...(await recordsOfTest()),
      loginProviders: [
        first.settings({ roleMap: roles("first-members") }),
        second.settings({ name: "second", label: "Second", roleMap: roles("second-members") }),
      ],
    },
  );
  await first.allow(service.address);
  await second.allow(service.address, ["second", `${ORG}.own`]);
});
afterAll(async () => {
  await service.dispose();
  await first.close();
  await second.close();
});
beforeEach(() => {
  first.people.clear();
  second.people.clear();
});

const nameOf = (prefix: string) => `${prefix}${++number}`;

/** Signs in with the first provider. */
async function person(login: string, groups = ["readers"]): Promise<Visitor> {
  first.people.set(login, { groups });
  const user = visitor(service);
  expect((await signInWith(user, login)).status).toBe(303);
  return user;
}

/** The address of the link on the settings page. */
async function linkOf(user: Visitor, provider = "second"): Promise<string> {
  const { text } = await user.get("/settings");
  const links = [...text.matchAll(/href="(\/login\/[^"]+)"/g)].map(([, link = ""]) =>
    link.replaceAll("&amp;", "&"),
  );
  const link = links.find((each) => each.startsWith(`/login/${provider}?link=`));
  if (link === undefined) throw new Error(`No link for ${provider}: ${links.join(" ")}`);
  return link;
}

async function link(user: Visitor, login: string) {
  return signInWith(user, login, await linkOf(user));
}

const acts = async (name: string) => {
  const path = `/audit-log/${ORG}?resource_name=${name}`;
  const { body } = await send(service, { path, key: service.keys.admin });
  return body.data.map((each: { act: string; details: unknown }) => [each.act, each.details]);
};

const members = async (): Promise<string[]> => {
  const { body } = await send(service, { path: `/members/${ORG}`, key: service.keys.admin });
  return body.map(({ name }: { name: string }) => name);
};

/** Removes an account on the settings page. */
const remove = async (user: Visitor, subject: string, confirm = "remove") => {
  const page = await user.get("/settings");
  const form = page.text.split("<form").find((each) => each.includes(`Remove the account ${subject} of`));
  const hidden = formOn({ ...page, text: `<form${form}` }, "Remove account");
  return user.send("/settings", { ...hidden, [`remove-${hidden["identity"]}`]: confirm });
};

describe("a second account", () => {
  it("signs in the same person, until it is removed", async () => {
    const [ada, work] = [nameOf("ada"), nameOf("work")];
    const user = await person(ada);
    expect((await user.get("/settings")).text).not.toContain("Remove account");
    second.people.set(work, { groups: ["second-members"] });
    const linked = await link(user, work);
    expect([linked.status, linked.headers["location"]]).toEqual([303, "/settings"]);
    expect((await user.get("/settings")).text).toContain(`Remove the account ${work} of Second`);

    // The name follows the last sign-in, and the account in the organization stays.
    const other = visitor(service);
    expect((await signInWith(other, work, "/login/second")).status).toBe(303);
    expect(await members()).toContain(ada);
    expect(await members()).not.toContain(work);
    expect((await other.get("/settings")).text).toContain("member of");

    expect((await remove(user, work, "yes")).status).toBe(400);
    expect((await remove(user, work)).status).toBe(303);
    // Its sessions and the roles that its groups gave have ended.
    expect((await other.get(`/${ORG}`)).status).toBe(303);
    const { text } = await user.get("/settings");
    expect(text).toContain("reader of");
    expect(text).not.toContain("Remove account");
    const details = { issuer: second.issuer, subject: work };
    const all = await acts(ada);
    expect(all).toContainEqual(["member.identity_linked", details]);
    expect(all).toContainEqual(["member.identity_removed", details]);
    await signInWith(visitor(service), work, "/login/second");
    expect(await members()).toContain(work);
  });

  it("stays if it is the only one", async () => {
    const [leo, work] = [nameOf("leo"), nameOf("work")];
    const user = await person(leo);
    await link(user, work);
    const page = await user.get("/settings");
    expect((await remove(user, work)).status).toBe(303);
    const form = page.text.split("<form").find((each) => each.includes(`Remove the account ${leo} of`));
    const hidden = formOn({ ...page, text: `<form${form}` }, "Remove account");
    const refused = await user.send("/settings", { ...hidden, [`remove-${hidden["identity"]}`]: "remove" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Link another account before you remove this one");
    expect((await signInWith(visitor(service), leo)).status).toBe(303);
  });

  it("of another person is refused", async () => {
    const [bob, eve] = [nameOf("bob"), nameOf("eve")];
    second.people.set(bob, { groups: ["readers"] });
    expect((await signInWith(visitor(service), bob, "/login/second")).status).toBe(303);
    const user = await person(eve);
    const { status, text } = await link(user, bob);
    expect(status).toBe(403);
    expect(text).toContain("belongs to another person");
    expect((await user.get("/settings")).text).not.toContain("Remove account");
    expect(await members()).toEqual(expect.arrayContaining([bob, eve]));
  });

  it("whose own sign-in was refused before is no one's", async () => {
    const [zoe, guest] = [nameOf("zoe"), nameOf("guest")];
    expect((await signInWith(visitor(service), guest, "/login/second")).status).toBe(403);
    const user = await person(zoe);
    expect((await link(user, guest)).status).toBe(303);
    expect((await signInWith(visitor(service), guest, "/login/second")).status).toBe(303);
    const linked = (await acts(zoe)).filter(([act]: [string]) => act === "member.identity_linked");
    expect(linked).toHaveLength(1);
  });

  it("of an organization's own provider is refused, because its people are separate", async () => {
    const json = {
      ...{ name: "own", issuer: second.issuer, client_id: "evidence", role_map: [{ role: "reader" }] },
      client_secret: "a secret of the client that nobody else knows",
    };
    await send(service, { method: "PUT", path: `/login-providers/${ORG}`, key: service.keys.admin, json });
    const user = await person(nameOf("kim"));
    await expect(linkOf(user, `${ORG}.own`)).rejects.toThrow("No link for");
    const forged = (await linkOf(user)).replace("/login/second", `/login/${ORG}.own`);
    const { status, text } = await signInWith(user, nameOf("own"), forged);
    expect(status).toBe(403);
    expect(text).toContain("cannot be linked to yours");
  });

  it("is linked only from the settings page, by the person who began", async () => {
    const [max, work] = [nameOf("max"), nameOf("work")];
    const user = await person(max);
    for (const query of ["link", "link=&form_token=x"]) {
      const begun = await user.get(`/login/second?${query}`);
      expect([begun.status, begun.headers["location"]]).toEqual([303, "/settings"]);
    }
    expect((await visitor(service).get(await linkOf(user))).headers["location"]).toBe("/settings");
    // Another person signs in meanwhile.
    const address = await linkOf(user);
    const session = user.cookies.get("session") ?? "";
    const other = await person(nameOf("other"));
    user.cookies.set("session", session);
    const begun = await user.get(address);
    const callback = new URL(await signInAt(String(begun.headers["location"]), work));
    user.cookies.set("session", other.cookies.get("session") ?? "");
    const { status, text } = await user.get(callback.pathname + callback.search);
    expect(status).toBe(403);
    expect(text).toContain("You signed out meanwhile");
  });
});
