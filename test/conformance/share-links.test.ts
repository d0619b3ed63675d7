import { describe, expect, it } from "vitest";
import { items } from "../../src/api/client/all-pages.ts";
import type { RequestOf } from "../../src/api/operation.ts";
import type { operations } from "../../src/api/resources/operations.ts";
import { pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;
const { flow, trail } = pipeline(target);

type NewLink = RequestOf<(typeof operations)["createShareLink"]>["body"];

const DAY = 24 * 60 * 60;

/** A trail, and the current time of the service. */
async function somewhere() {
  const place = await flow();
  const name = await trail(place);
  const { body } = await client.getTrail({ flowName: place, trailName: name });
  return { place, name, now: body.createdAt };
}

/** The first page of a visitor who opens a link, and how the service answers other addresses. */
async function visitor(url: string) {
  const opened = await fetch(url, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const get = async (path: string) => (await fetch(new URL(path, url), { headers: { cookie } })).status;
  return { location: opened.headers.get("location") ?? "", get };
}

describe("a link to something that is renamed", () => {
  const created = async (body: Omit<NewLink, "description" | "expiresAt">) => {
    const now = (await somewhere()).now;
    const link = { ...body, description: "", expiresAt: now + DAY };
    return (await client.createShareLink({ body: link })).body;
  };

  const createFlow = (name: string) =>
    client.createFlowWithTemplate({
      body: { name, description: "" },
      files: { templateFile: textFile("template.yml", "version: 1\n") },
    });

  it("shows the environment that it was created for, and not the one that has its name now", async () => {
    const [name, newName] = [unique("prod"), unique("live")];
    const body = { name, type: "K8S", description: "" } as const;
    await client.createEnvironment({ body });
    const { url, id } = await created({ kind: "environment", place: name });
    await client.renameEnvironment({ envName: name, body: { newName } });
    await client.createEnvironment({ body });
    const { location, get } = await visitor(url);
    expect(location).toMatch(new RegExp(`/environments/${newName}$`));
    expect(await get(location)).toBe(200);
    expect(await get(location.replace(newName, name))).toBe(404);
    for await (const each of items(client, "listShareLinks", {})) {
      if (each.id === id) expect(each.place).toBe(newName);
    }
  });

  it("shows the trail that it was created for, and not one of the same name in a new flow", async () => {
    const { place, name } = await somewhere();
    const newName = unique("site");
    const { url } = await created({ kind: "trail", place, name });
    await client.renameFlow({ flowName: place, body: { newName } });
    await createFlow(place);
    await client.beginTrail({ flowName: place, body: { name } });
    const { location, get } = await visitor(url);
    expect(location).toMatch(new RegExp(`/flows/${newName}/trails/${name}$`));
    expect(await get(location)).toBe(200);
    expect(await get(location.replace(newName, place))).toBe(404);
  });

  it("is a badge of the flow that it was created for", async () => {
    const { place } = await somewhere();
    const { url } = await created({ kind: "badge", place });
    const badge = async () => (await fetch(url)).text();
    const before = await badge();
    expect(before).toContain("<svg");
    expect(before).not.toContain("unknown");
    await client.renameFlow({ flowName: place, body: { newName: unique("site") } });
    await createFlow(place);
    expect(await badge()).toBe(before);
  });
});

describe("share links for visitors without an account", () => {
  it("are created once, listed without their secret, and revoked permanently", async () => {
    const { place, name, now } = await somewhere();
    const description = unique("audit");
    const created = await client.createShareLink({
      body: { kind: "trail", place, name, description, expiresAt: now + DAY },
    });
    expect(created.status).toBe(201);
    const { url, ...link } = created.body;
    expect(link).toEqual({
      id: expect.any(String),
      kind: "trail",
      place,
      name,
      description,
      createdBy: expect.any(String),
      createdAt: expect.any(Number),
      expiresAt: now + DAY,
      revokedAt: null,
    });
    expect(url).toMatch(/\/share\/[\w-]{43}$/);
    const listed = async () => {
      for await (const each of items(client, "listShareLinks", {})) if (each.id === link.id) return each;
      return undefined;
    };
    expect(await listed()).toEqual(link);
    expect((await client.revokeShareLink({ linkId: link.id })).body).toBe("revoked");
    expect(await listed()).toEqual({ ...link, revokedAt: expect.any(Number) });
    await expectRefusal(
      ask("revokeShareLink", { params: { link_id: link.id } }),
      404,
      "Share link not found, or already revoked",
    );
  });

  it("show an environment, or the badge of a flow, which have no name beside their path", async () => {
    const { place, now } = await somewhere();
    const { body } = await client.createShareLink({ body: { kind: "badge", place, expiresAt: now + DAY } });
    expect(body).toMatchObject({ kind: "badge", place, name: null, description: "" });
    expect(body.url).toMatch(/\/badge\.svg\?share=[\w-]{43}$/);
  });

  it("show only existing records, for a future and limited time", async () => {
    const { place, name, now } = await somewhere();
    const right: NewLink = { kind: "trail", place, name, expiresAt: now + DAY };
    const wrong: readonly (readonly [number, RegExp, Partial<NewLink>])[] = [
      [404, /^Flow named/, { place: unique("nowhere") }],
      [404, /^Trail with name/, { name: unique("nothing") }],
      [404, /^Artifact with fingerprint/, { kind: "artifact", name: "a".repeat(64) }],
      [404, /^Environment named/, { kind: "environment", name: null }],
      [400, /^'name' is required: the name of the trail$/, { name: null }],
      [400, /^'name' must not be set for a link to/, { kind: "badge" }],
      [400, /^Input payload validation failed$/, { expiresAt: now - 1 }],
      [400, /^Input payload validation failed$/, { expiresAt: now + 401 * DAY }],
      [400, /^Input payload validation failed$/, { expiresAt: 1e300 }],
    ];
    for (const [status, message, change] of wrong) {
      const { expiresAt, ...rest } = { ...right, ...change };
      const body = { ...rest, expires_at: expiresAt };
      await expectRefusal(ask("createShareLink", { body }), status, message);
    }
  });
});
