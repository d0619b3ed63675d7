/*
 * What Octokit and GitHub's toolkit import of undici. In a bundle this stands in for its index, which is three times as
 * large.
 */
export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
export { fetch } from "undici/lib/web/fetch/index.js";
