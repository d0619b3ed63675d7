/*
 * What Octokit and GitHub's toolkit need of undici. Its index is twice as large. In the bundles this is what they
 * import by the name of the package.
 */
export { default as Agent } from "undici/lib/dispatcher/agent.js";
export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
export { fetch } from "undici/lib/web/fetch/index.js";
