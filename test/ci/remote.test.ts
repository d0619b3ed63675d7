import { describe, expect, test } from "vitest";
import { repositoryOf } from "../../src/ci/remote.ts";

describe("the repository of a remote", () => {
  const github = { name: "acme/web", url: "https://github.com/acme/web", provider: "github" };
  const azure = {
    name: "acme/Web Shop/web",
    url: "https://dev.azure.com/acme/Web%20Shop/_git/web",
    provider: "azure_devops_services",
    namespacePath: ["acme", "Web Shop"],
  };
  const dataCenter = {
    name: "SHOP/web",
    url: "https://bitbucket.example/projects/SHOP/repos/web",
    provider: "bitbucket_dc",
  };
  const own = { name: "acme/web", url: "https://code.example/acme/web", provider: "git" };

  test.each([
    ["https://github.com/acme/web.git", github],
    ["https://github.com/acme/web/", github],
    ["git@github.com:acme/web.git", github],
    ["github.com:/acme/web", github],
    ["ssh://git@github.com/acme/web.git", github],
    ["ssh://git@ssh.github.com:443/acme/web.git", github],
    ["git://github.com/acme/web.git", github],
    ["git+https://github.com/acme/web.git", github],
    [" git@github.com:acme/web.git\n", github],
    [
      "https://acme.ghe.com/acme/web",
      { name: "acme/web", url: "https://acme.ghe.com/acme/web", provider: "github" },
    ],
    [
      "git@gitlab.example:acme/shop/web.git",
      { name: "acme/shop/web", url: "https://gitlab.example/acme/shop/web", provider: "gitlab" },
    ],
    [
      "git@altssh.gitlab.com:acme/web.git",
      { name: "acme/web", url: "https://gitlab.com/acme/web", provider: "gitlab" },
    ],
    [
      "git@bitbucket.org:acme/web.git",
      { name: "acme/web", url: "https://bitbucket.org/acme/web", provider: "bitbucket_cloud" },
    ],
    ["https://bitbucket.example/scm/SHOP/web.git", dataCenter],
    ["ssh://git@bitbucket.example:7999/SHOP/web.git", dataCenter],
    ["https://acme@dev.azure.com/acme/Web%20Shop/_git/web", azure],
    ["git@ssh.dev.azure.com:v3/acme/Web%20Shop/web", azure],
    ["https://acme.visualstudio.com/DefaultCollection/Web%20Shop/_git/web", azure],
    ["acme@vs-ssh.visualstudio.com:v3/acme/Web%20Shop/web", azure],
    [
      "https://dev.azure.com/acme/_git/web",
      {
        ...azure,
        name: "acme/web/web",
        url: "https://dev.azure.com/acme/web/_git/web",
        namespacePath: ["acme", "web"],
      },
    ],
    ["ssh://git@code.example:2222/acme/web.git", own],
    ["git@code.example:acme/web", own],
    [
      "ssh://git@ssh.code.example/acme/we%b",
      { name: "acme/we%b", url: "https://ssh.code.example/acme/we%b", provider: "git" },
    ],
    [
      "http://code.example:3000/forge/acme/web.git",
      { name: "forge/acme/web", url: "http://code.example:3000/forge/acme/web", provider: "git" },
    ],
    ["git@forge:acme/web", { name: "acme/web", url: "https://forge/acme/web", provider: "git" }],
  ])("%s", (remote, repository) => {
    expect(repositoryOf(remote)).toEqual(repository);
  });

  test.each([
    "https://ada:secret@code.example/acme/web.git",
    "https://secret@code.example/acme/web.git?token=secret#secret",
    "ssh://ada:secret@code.example/acme/web.git",
    "ada:secret@code.example:acme/web.git",
    "https://ada:se%2Fcret@code.example/acme/web.git",
  ])("never has the credentials of %s", (remote) => {
    expect(JSON.stringify(repositoryOf(remote) ?? {})).not.toMatch(/secret|cret|ada/);
  });

  test.each([
    "",
    "/srv/git/web.git",
    "../web",
    "C:\\git\\web",
    "file:///srv/git/web.git",
    "codecommit::eu-west-1://web",
    "s3://bucket/web",
    "https://",
    "https://code.example",
    "https://code example/acme/web",
    "git@code.example:",
  ])("is unknown for '%s', which has no web page", (remote) => {
    expect(repositoryOf(remote)).toBeUndefined();
  });
});
