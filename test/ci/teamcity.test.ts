import { type Environment, HEAD, testContexts, without } from "./contexts.ts";

/** The step of a build with one VCS root. */
const build: Environment = {
  TEAMCITY_VERSION: "2025.11 (build 199000)",
  TEAMCITY_PROJECT_NAME: "Shop",
  TEAMCITY_BUILDCONF_NAME: "Build",
  BUILD_NUMBER: "90",
  BUILD_URL: "https://teamcity.example/build/9001",
  BUILD_VCS_NUMBER: HEAD,
};

const facts = { commit: HEAD, run: { id: "90", url: "https://teamcity.example/build/9001" } };

testContexts("a build of TeamCity", "teamcity", [
  { job: "one VCS root", variables: build, facts },
  {
    job: "a folder of the checkout by a parameter",
    variables: { ...build, TEAMCITY_BUILD_CHECKOUTDIR: "/opt/agent/work/1a2b" },
    facts: { ...facts, workspace: "/opt/agent/work/1a2b" },
  },
  {
    job: "one VCS root, which is also named",
    variables: { ...without(build, "BUILD_VCS_NUMBER"), BUILD_VCS_NUMBER_Shop_Web: HEAD },
    facts,
  },
  {
    job: "the same commit in two VCS roots",
    variables: {
      ...without(build, "BUILD_VCS_NUMBER"),
      BUILD_VCS_NUMBER_Shop_Web: HEAD,
      BUILD_VCS_NUMBER_Shop_Copy: HEAD,
    },
    facts,
  },
  {
    job: "several VCS roots, of which none is the one",
    variables: {
      ...without(build, "BUILD_VCS_NUMBER"),
      BUILD_VCS_NUMBER_Shop_Web: HEAD,
      BUILD_VCS_NUMBER_Shop_Charts: "1".repeat(40),
    },
    facts: { ...facts, commit: undefined },
  },
  {
    job: "a VCS root of Subversion or Perforce",
    variables: { ...build, BUILD_VCS_NUMBER: "4711" },
    facts: { ...facts, commit: undefined },
  },
  {
    job: "no VCS root",
    variables: without(build, "BUILD_VCS_NUMBER"),
    facts: { ...facts, commit: undefined },
  },
  {
    job: "a server without an address, or before release 2023",
    variables: without(build, "BUILD_URL"),
    facts: { ...facts, run: { id: "90" } },
  },
  { job: "a personal build", variables: { ...build, BUILD_IS_PERSONAL: "true" }, facts },
  {
    job: "variables that are empty",
    variables: { ...build, BUILD_NUMBER: "", BUILD_URL: "" },
    facts: { commit: HEAD },
  },
  { job: "a container that got only the version", variables: { TEAMCITY_VERSION: "2025.11" }, facts: {} },
]);
