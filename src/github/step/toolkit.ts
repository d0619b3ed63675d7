/*
 * The part of @actions/core that writes workflow commands. Its index also brings an OIDC client and with that all of
 * undici, which would double an action's start-up time; the package exports nothing smaller, hence this path.
 */
export { issueCommand } from "../../../node_modules/@actions/core/lib/command.js";
