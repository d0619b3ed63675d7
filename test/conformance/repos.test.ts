import { describe, expect, it } from "vitest";
import { artifactBody, pipeline } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { invalidQueries, pagingEdges } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org, sendRaw } = target;
const { flow, environment, report } = pipeline(target);

/** Reports an artifact of a repository, which captures it. */
async function capture(name: string, more: object = {}) {
  const flowName = await flow();
  const fingerprint = someFingerprint();
  const body = artifactBody({ trailName: unique("trail"), fingerprint, commit: someCommit() });
  const repoInfo = { name, url: `https://github.com/${name}`, ...more };
  await client.reportArtifact({ flowName, body: { ...body, repoInfo } });
  return { ...body, flowName };
}

describe("listing repositories", () => {
  it("returns those of a name, with all fields", async () => {
    const [name, id] = [unique("o/repo"), unique("id")];
    await capture(name, { id, description: "shop" });
    const { body } = await client.listRepos({ name });
    expect(body).toMatchObject({
      page: 1,
      perPage: 15,
      totalPages: 1,
      totalCount: 1,
      repos: [
        { name, url: `https://github.com/${name}`, provider: "github", repoId: id, description: "shop" },
      ],
    });
  });

  it.each([
    ...["github", "gitlab", "bitbucket", "bitbucket_cloud", "bitbucket_dc", "azure-devops"],
    ...["azure_devops_services", "azure_devops_server", "circleci", "git", "subversion"],
  ])("of the provider %s are found by it, with their namespace and other fields", async (provider) => {
    const name = unique("o/repo");
    const details = { namespacePath: ["group", "sub"], additionalInfo: { projectKey: "K", n: { m: 1 } } };
    await capture(name, { provider, ...details });
    const { body } = await ask("listRepos", { query: { name, provider } });
    const shown = { namespace_path: details.namespacePath, additional_info: details.additionalInfo };
    expect(body.repos).toMatchObject([{ name, provider, ...shown }]);
    await capture(name, { provider });
    expect((await ask("getRepo", { params: { repo_name: name } })).body).toMatchObject(shown);
  });

  it("of an unknown provider are recorded, and shown without a provider", async () => {
    const name = unique("o/repo");
    await capture(name, { provider: "forge-of-tomorrow" });
    expect((await client.listRepos({ name })).body.repos).toMatchObject([
      { name, provider: null, namespacePath: null, additionalInfo: null },
    ]);
    const { fingerprint, flowName } = await capture(name, { provider: "forge-of-tomorrow" });
    const { body } = await client.getArtifact({ flowName, fingerprint });
    expect(body).toMatchObject({ repoInfo: { name, provider: null } });
    expect((await client.listRepos({ name })).body.totalCount).toBe(1);
  });

  it("uses the id before the name, without partial matches", async () => {
    const [name, id] = [unique("o/repo"), unique("id")];
    await capture(name, { id });
    const count = async (query: object) => (await client.listRepos(query)).body.totalCount;
    expect(await count({ repoId: id, name: "ignored" })).toBe(1);
    expect(await count({ name: name.slice(0, -1) })).toBe(0);
    expect(await count({ repoId: unique("id") })).toBe(0);
    expect(await count({ name, provider: "gitlab" })).toBe(0);
  });

  it("is sorted by name, in pages with links", async () => {
    const prefix = unique("o/sorted");
    const id = unique("id");
    for (const suffix of ["b", "a"]) await capture(prefix + suffix, { id: id + suffix });
    const { body } = await client.listRepos({ perPage: 50 });
    const names = body.repos.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
    const first = await client.listRepos({ perPage: 1 });
    expect(first.body.repos).toHaveLength(1);
    expect(first.body._links).toMatchObject({ self: { href: expect.stringContaining("per_page=1") } });
  });

  it("renames a repository whose id is sent with another name", async () => {
    const [before, after, id] = [unique("o/before"), unique("o/after"), unique("id")];
    await capture(before, { id });
    await capture(after, { id });
    expect((await client.listRepos({ name: before })).body.repos).toEqual([]);
    expect((await client.listRepos({ repoId: id })).body.repos).toMatchObject([{ name: after }]);
  });

  it("is one repository for CI systems that know its id and those that do not", async () => {
    const [name, id] = [unique("o/web"), unique("id")];
    await capture(name, { provider: "github" });
    await capture(name, { provider: "github", id });
    await capture(name, { provider: "github" });
    const { repos } = (await client.listRepos({ name })).body;
    expect(repos).toMatchObject([{ name, provider: "github", repoId: id }]);
  });

  it("has the fields of its pages and no others", async () => {
    const name = unique("o/repo");
    await capture(name, { url: "https://git.example/o/repo" });
    const { body } = await ask("listRepos", { query: { name } });
    expect(Object.keys(body).toSorted()).toEqual(
      ["_links", "page", "per_page", "repos", "total_count", "total_pages"].toSorted(),
    );
    expect(body.repos).toMatchObject([{ name, provider: null, repo_id: null, description: null }]);
  });

  it("captures from trails and attestations as from artifacts", async () => {
    const [ofTrail, ofAttestation] = [unique("o/trail"), unique("o/attestation")];
    const info = (name: string) => ({ name, url: `https://gitlab.com/${name}` });
    const [flowName, trailName] = [await flow(), unique("trail")];
    await client.beginTrail({ flowName, body: { name: trailName, repoInfo: info(ofTrail) } });
    const body = { attestationName: "unit", isCompliant: true, repoInfo: info(ofAttestation) };
    await client.attestGeneric({ flowName, trailName, body });
    for (const name of [ofTrail, ofAttestation]) {
      expect((await client.listRepos({ name })).body.repos).toMatchObject([{ name, provider: "gitlab" }]);
    }
    expect((await client.getTrail({ flowName, trailName })).body.repoIds).toHaveLength(2);
  });

  it("is filtered by a part of the name in any letter case, by tags and in either direction", async () => {
    const part = unique("Überprüfung");
    const names = ["a", "b", "c"].map((suffix) => `o/${part}-${suffix}`);
    for (const name of names) await capture(name, { id: unique("id") });
    const [a, b] = (await client.listRepos({ search: part })).body.repos;
    const tag = (id: string | undefined, setTags: Record<string, string>) =>
      client.updateTags({ resourceType: "repo", resourceId: id ?? "", body: { setTags } });
    await tag(a?.id, { team: "web", tier: "1" });
    await tag(b?.id, { team: "shop" });

    const found = async (query: object) => (await client.listRepos(query)).body.repos.map(({ name }) => name);
    const search = part.toUpperCase();
    expect(await found({ search })).toEqual(names);
    expect(await found({ search, sortDirection: "desc" })).toEqual(names.toReversed());
    expect(await found({ search, tag: ["team"] })).toEqual(names.slice(0, 2));
    expect(await found({ search, tag: ["team:web", "tier"] })).toEqual(names.slice(0, 1));
    expect(await found({ search, tag: ["team:web", "team:shop"] })).toEqual([]);
    expect(await found({ search: `${part}%` })).toEqual([]);
    expect(await found({ name: names[0], search: "" })).toEqual(names.slice(0, 1));

    const query = { search, tag: ["team:web", "tier"], sort_direction: "desc", page: 1, per_page: 1 };
    const { body } = await ask("listRepos", { query });
    expect([...new URL(body._links.self.href).searchParams]).toEqual([
      ["search", search],
      ["tag", "team:web"],
      ["tag", "tier"],
      ["sort_direction", "desc"],
      ["page", "1"],
      ["per_page", "1"],
    ]);
  });

  it("is filtered by the host and by the namespace, also of a repository below it", async () => {
    const host = `${unique("git")}.example`;
    const at = (name: string) => ({ url: `https://www.${host.toUpperCase()}/${name}`, provider: "git" });
    const group = unique("acme_");
    await capture(`${group}/web`, at(`${group}/web`));
    await capture(`${group}/shop/cart`, at(`${group}/shop/cart`));
    await capture(`${group}X/other`, at(`${group}X/other`));
    await capture("moved", { ...at("moved"), namespacePath: [group, "shop"] });
    await capture("moved", at("moved"));

    const found = async (query: object) => (await client.listRepos(query)).body.repos.map(({ name }) => name);
    const all = ["moved", `${group}/shop/cart`, `${group}/web`, `${group}X/other`].toSorted();
    for (const vcsInstance of [host, `WWW.${host}`]) expect(await found({ vcsInstance })).toEqual(all);
    expect(await found({ vcsInstance: "git", namespace: group })).toEqual([]);
    const below = all.filter((name) => name !== `${group}X/other`);
    for (const namespace of [group, `/${group}/`]) expect(await found({ namespace })).toEqual(below);
    expect(await found({ namespace: `${group}/shop` })).toEqual([`${group}/shop/cart`, "moved"].toSorted());
    for (const namespace of [`${group}/sho`, "%", group.replace("_", "%")])
      expect(await found({ namespace })).toEqual([]);
    expect(await found({ vcsInstance: host, namespace: "", provider: "git" })).toEqual(all);

    const options = async (query: object) => (await client.listRepoFilterOptions(query)).body;
    expect(await options({ vcsInstance: host, namespace: group })).toEqual({
      providers: ["git"],
      vcsInstances: [host],
      namespaceValues: ["shop"],
    });
    expect((await options({ vcsInstance: host })).namespaceValues).toEqual([group, `${group}X`].toSorted());
    const other = await options({ namespace: group, provider: "github" });
    expect(other).toEqual({ providers: ["git"], vcsInstances: [], namespaceValues: [] });
    expect((await options({})).vcsInstances).toEqual(expect.arrayContaining([host, "github.com"]));
    const none = { providers: [], vcsInstances: [], namespaceValues: [] };
    expect(await options({ tag: [unique("tag")] })).toEqual(none);
  });

  it("has the distinct tags of all repositories, which are filters", async () => {
    const [name, key] = [unique("o/repo"), unique("key")];
    for (const id of ["1", "2"]) await capture(name, { id: unique(id) });
    const { repos } = (await client.listRepos({ name })).body;
    for (const { id } of repos) {
      const body = { setTags: { [key]: "web" } };
      await client.updateTags({ resourceType: "repo", resourceId: id ?? "", body });
    }
    const { body } = await client.listRepoTags({});
    expect(body.filter((tag) => tag.key === key)).toEqual([{ key, value: "web" }]);
    const options = await client.listRepoFilterOptions({ tag: [`${key}:web`] });
    expect(options.body).toMatchObject({ providers: ["github"], vcsInstances: ["github.com"] });
  });

  invalidQueries(target, "listRepoFilterOptions", () => ({}), [
    [{ provider: "svn" }, "provider", "Input should be 'github'"],
    [{ tag: "" }, "tag[0]", "String should have at least 1 character"],
  ]);
  pagingEdges(target, "listRepos", () => ({}), { max: 50 });
  invalidQueries(target, "listRepos", () => ({}), [
    [{ name: "a", search: "a" }, "search", "Set either name or search, not both"],
    [{ sort_direction: "up" }, "sort_direction", "Input should be 'asc' or 'desc'"],
    [{ tag: "" }, "tag[0]", "String should have at least 1 character"],
    [
      { provider: "svn" },
      "provider",
      "Input should be 'github', 'gitlab', 'bitbucket', 'bitbucket_cloud', 'bitbucket_dc', 'azure-devops', 'azure_devops_services', 'azure_devops_server', 'circleci', 'git' or 'subversion'",
    ],
  ]);
});

describe("getting a repository", () => {
  it("returns it by its name, whose slash may be unescaped, with its id and tags", async () => {
    const [name, externalId] = [unique("o/repo"), unique("id")];
    await capture(name, { id: externalId });
    const [{ id } = {}] = (await client.listRepos({ name })).body.repos;
    await client.updateTags({
      resourceType: "repo",
      resourceId: id ?? "",
      body: { setTags: { team: "web" } },
    });
    const { body } = await client.getRepo({ repoName: name });
    expect(body).toMatchObject({ id, name, provider: "github", repoId: externalId, tags: { team: "web" } });
    for (const path of [name, encodeURIComponent(name)]) {
      const reply = await sendRaw("GET", `/api/v2/repos/${org}/${path}`);
      expect([reply.status, reply.body.id], path).toEqual([200, id]);
    }
  });

  it("uses the service's id whatever the path says", async () => {
    const name = unique("o/repo");
    await capture(name);
    const [{ id = "" } = {}] = (await client.listRepos({ name })).body.repos;
    expect((await client.getRepo({ repoName: id, id })).body.name).toBe(name);
    expect((await client.getRepo({ repoName: "live-artifacts", id, provider: "github" })).body.name).toBe(
      name,
    );
    await expectRefusal(client.getRepo({ repoName: name, id: "none" }), 404, "Repo 'none' not found");
    const gitlab = client.getRepo({ repoName: name, id, provider: "gitlab" });
    await expectRefusal(gitlab, 404, `Repo '${id}' not found`);
  });

  it("requires the provider if several have the name, and accepts any of one provider's", async () => {
    const name = unique("o/twice");
    for (const id of ["1", "2"]) await capture(name, { id: unique(id) });
    const several = (providers: string) =>
      new RegExp(`^Multiple repos named '${name}' exist \\(${providers}\\)\\. Specify the 'provider'`);
    await expectRefusal(client.getRepo({ repoName: name }), 400, several("github"));
    await capture(name, { provider: "gitlab" });
    await expectRefusal(client.getRepo({ repoName: name }), 400, several("github, gitlab"));
    expect((await client.getRepo({ repoName: name, provider: "github" })).body.provider).toBe("github");
    expect((await client.getRepo({ repoName: name, provider: "gitlab" })).body.provider).toBe("gitlab");
  });

  it("is refused for one that was not captured", async () => {
    const name = unique("o/none");
    const message = `Repo '${name}' not found`;
    await expectRefusal(client.getRepo({ repoName: name }), 404, message);
    await expectRefusal(sendRaw("GET", `/api/v2/repos/${org}/${name}`), 404, message);
  });

  invalidQueries(target, "getRepo", () => ({ params: { repo_name: "o/repo" } }), [
    [
      { provider: "svn" },
      "provider",
      "Input should be 'github', 'gitlab', 'bitbucket', 'bitbucket_cloud', 'bitbucket_dc', 'azure-devops', 'azure_devops_services', 'azure_devops_server', 'circleci', 'git' or 'subversion'",
    ],
  ]);
});

describe("the environments in which a repository runs", () => {
  it("are returned for a name whose slash is unescaped", async () => {
    const name = unique("o/live");
    const { fingerprint } = await capture(name);
    await report(await environment(), [fingerprint]);
    const { status, body } = await sendRaw("GET", `/api/v2/repos/${org}/live-artifacts/${name}`);
    expect([status, body.live_artifacts?.length]).toEqual([200, 1]);
  });

  it("are returned for each environment", async () => {
    const name = unique("o/live");
    const { fingerprint } = await capture(name);
    const envName = await environment();
    await report(envName, [fingerprint]);
    const { body } = await client.listLiveArtifacts({ repoName: name });
    expect(body._embedded?.artifacts).toMatchObject([{ fingerprint }]);
    expect(body._embedded?.environments).toMatchObject([{ name: envName, type: "K8S" }]);
    expect(body.liveArtifacts).toMatchObject([
      {
        environmentId: body._embedded?.environments[0]?.id,
        artifactId: body._embedded?.artifacts[0]?.id,
        snapshotIndex: 1,
      },
    ]);
  });

  it("are returned for the last captured of several repositories with the name, or for the provider's", async () => {
    const name = unique("o/twice");
    const first = await capture(name);
    const second = await capture(name, { provider: "gitlab" });
    await report(await environment(), [first.fingerprint, second.fingerprint]);
    const running = async (more: object = {}) => {
      const { body } = await client.listLiveArtifacts({ repoName: name, ...more });
      return body._embedded?.artifacts.map(({ fingerprint }) => fingerprint);
    };
    expect(await running()).toEqual([second.fingerprint]);
    expect(await running({ provider: "github" })).toEqual([first.fingerprint]);
    expect(await running({ provider: "gitlab" })).toEqual([second.fingerprint]);
    const [{ id } = {}] = (await client.listRepos({ name, provider: "github" })).body.repos;
    expect(await running({ id, provider: "gitlab" })).toEqual([first.fingerprint]);
    const unknown = client.listLiveArtifacts({ repoName: name, id: "none" });
    await expectRefusal(unknown, 404, "Repo 'none' not found");
  });

  it("are empty when nothing runs", async () => {
    const name = unique("o/idle");
    await capture(name);
    expect((await client.listLiveArtifacts({ repoName: name })).body.liveArtifacts).toEqual([]);
  });

  it("are refused for a repository that was not captured", async () => {
    const repoName = unique("none");
    await expectRefusal(client.listLiveArtifacts({ repoName }), 404, `Repo '${repoName}' not found`);
  });
});
