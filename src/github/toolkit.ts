/*
 * The parts of @actions/core that write to the runner. Its index also brings an OIDC client and with that all of
 * undici, which would double an action's start-up time; the package exports nothing smaller, hence these paths.
 */
export { issueCommand } from "../../node_modules/@actions/core/lib/command.js";
export {
  issueFileCommand,
  prepareKeyValueMessage,
} from "../../node_modules/@actions/core/lib/file-command.js";
