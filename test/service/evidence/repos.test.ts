import { beforeEach, describe, expect, it } from "vitest";
import { pipeline } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  return () => service.dispose();
});

const repo = (name: string, more: object = {}) => ({ name, url: `https://github.com/${name}`, ...more });
const captured = async (query = "") =>
  (await pipeline(service).repos(query)).body.repos.map((each: { name: string }) => each.name);

describe("capturing repositories", () => {
  it("from trails, artifacts and attestations", async () => {
    const { flow, trail, artifact, attest } = pipeline(service);
    await flow("web");
    await trail("web", "t1", { repo_info: repo("o/trail") });
    await artifact("web", "t1", { repo_info: repo("o/artifact") });
    await attest("web", "t1", { repo_info: repo("o/attestation") });
    expect(await captured()).toEqual(["o/artifact", "o/attestation", "o/trail"]);
  });

  it("a repository known by its name gets its id when one is sent", async () => {
    const { attest, repos } = pipeline(service);
    await attest("web", "t1", { repo_info: repo("o/r") });
    await attest("web", "t1", { repo_info: repo("o/r", { id: "7" }) });
    await attest("web", "t2", { repo_info: repo("o/r") });
    expect((await repos()).body.repos).toMatchObject([{ name: "o/r", repo_id: "7" }]);
  });

  it("two ids under one name, and one id at two providers, are different repositories", async () => {
    const { attest } = pipeline(service);
    await attest("web", "t1", { repo_info: repo("o/r", { id: "7" }) });
    await attest("web", "t1", { repo_info: repo("o/r", { id: "8" }) });
    await attest("web", "t1", { repo_info: repo("o/r", { id: "7", provider: "gitlab" }) });
    expect(await captured()).toHaveLength(3);
  });

  it("of several captured at the same moment, the same one is always returned", async () => {
    const { attest, repos } = pipeline(service);
    const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
    for (const id of ids) await attest("web", "t1", { repo_info: repo("o/r", { id }) });
    await attest("web", "t1", { repo_info: repo("o/r", { description: "heard of again" }) });
    const found: { id: string; description: string | null }[] = (await repos()).body.repos;
    const [first] = found.map(({ id }) => id).sort();
    expect(found.filter(({ description }) => description !== null)).toMatchObject([{ id: first }]);
  });

  it.each([
    ["https://github.com/o/r", "github"],
    ["https://gitlab.com/o/r", "gitlab"],
    ["https://bitbucket.org/o/r", "bitbucket"],
    ["https://dev.azure.com/o/p/_git/r", "azure-devops"],
    ["https://github.com.evil.example/o/r", null],
    ["https://git.example/o/r", null],
  ])("the provider of %s is %s by default", async (url, provider) => {
    const { attest, repos } = pipeline(service);
    await attest("web", "t1", { repo_info: { name: "o/r", url } });
    expect((await repos()).body.repos[0].provider).toBe(provider);
  });
});

describe("listing repositories", () => {
  beforeEach(async () => {
    const { attest } = pipeline(service);
    for (const [index, name] of ["b", "a", "c", "B", "ä"].entries()) {
      await attest("web", "t1", { repo_info: repo(name, { id: `id-${index}` }) });
    }
    await attest("web", "t1", { repo_info: repo("a", { id: "id-1", provider: "gitlab" }) });
  });

  it("is sorted by name, in pages with links between them", async () => {
    const { status, body } = await pipeline(service).repos("?per_page=2&page=2&provider=github");
    const page = (number: number) => ({
      href: `${service.address}/api/v2/repos/${ORG}?provider=github&page=${number}&per_page=2`,
    });
    expect({ status, ...body, repos: body.repos.map((each: { name: string }) => each.name) }).toEqual({
      status: 200,
      _links: { self: page(2), first: page(1), last: page(3), prev: page(1), next: page(3) },
      page: 2,
      per_page: 2,
      total_pages: 3,
      total_count: 5,
      repos: ["b", "c"],
    });
  });
});
