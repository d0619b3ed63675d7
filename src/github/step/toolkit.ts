/*
 * The part of @actions/core that writes workflow commands. Its index also loads an OIDC client and all of undici, which
 * would double an action's start-up time. The package exports nothing smaller, hence this path.
 */
export { issueCommand } from "../../../node_modules/@actions/core/lib/command.js";
