import { leaveRunning } from "../net/run-program.ts";
import { type Environment, given } from "./usage.ts";

/** Opens a page, if this machine has a screen that the user looks at. A failure does not matter: the page is also printed. */
export function openBrowser(page: string, environment: Environment): void {
  if (given(environment, "SSH_CONNECTION") !== undefined || !URL.canParse(page)) return;
  const { href, protocol } = new URL(page);
  if (!/^https?:$/.test(protocol)) return;
  const [program, ...args] = openerOf(environment);
  if (program === undefined) return;
  leaveRunning({ program, args: [...args, href], env: withoutSecrets(environment) });
}

/** Started without a shell, which would read the address as a command. */
function openerOf(environment: Environment): readonly string[] {
  switch (process.platform) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"];
    default: {
      const hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].some(
        (name) => given(environment, name) !== undefined,
      );
      return hasDisplay ? ["xdg-open"] : [];
    }
  }
}

function withoutSecrets(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || name.startsWith("EVIDENCE_") ? [] : [[name, value]],
    ),
  );
}
