/** The first that matches counts, because browsers also name those that they descend from. */
const BROWSERS = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:(?:Headless)?Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;
const SYSTEMS = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** `Firefox on Windows` for the `User-Agent` of a browser; any other client as it names itself. */
export function clientName(client: string | null): string {
  if (client === null) return "unknown";
  const browser = BROWSERS.find(([, pattern]) => pattern.test(client))?.[0];
  if (browser === undefined) return client;
  const system = SYSTEMS.find(([, pattern]) => pattern.test(client))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
