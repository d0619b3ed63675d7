import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { type Browser, chromium } from "playwright-core";

const packageFile = findPackageJSON("@sparticuz/chromium", import.meta.url) ?? "";
const packed = join(dirname(packageFile), "bin");
const unpacked = join(import.meta.dirname, "../node_modules/.cache/chromium");

/** Whether browser and fonts are those of the development dependencies, so that pictures are the same on each machine. */
export const isPinnedBrowser = process.platform === "linux" && process.arch === "x64";

/**
 * Starts the browser of the development dependencies, with its own libraries and fonts, so that nothing has to be
 * installed on the machine. The package contains a browser for Linux on x64 only. Other machines use their installed
 * Chrome.
 *
 * The package's suggested arguments are not used, because they disable the browser's protections, which the tests
 * check.
 */
export async function startBrowser(): Promise<Browser> {
  const args = ["--disable-gpu", "--disable-background-networking", "--disable-component-update"];
  if (!isPinnedBrowser) {
    return chromium.launch({ channel: "chrome", args });
  }
  const folder = await unpackBrowser();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    // The superuser has no sandbox, nor do most containers.
    args: [...args, "--no-sandbox"],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
      // Date fields have the language of the machine, not that of the page.
      LANGUAGE: "en",
      LC_ALL: "en_US.UTF-8",
    },
  });
}

/** Unpacks the browser to a location shared by all runs. It appears as a whole, or not at all. */
async function unpackBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile, "utf8"));
  const folder = `${unpacked}-${version}`;
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const incoming = await mkdtemp(`${folder}-`);
  const read = (name: string) => createReadStream(join(packed, name));
  await pipeline(
    read("chromium.br"),
    createBrotliDecompress(),
    createWriteStream(join(incoming, "chromium"), { mode: 0o755 }),
  );
  for (const name of ["al2023.tar.br", "fonts.tar.br"]) {
    await pipeline(read(name), createBrotliDecompress(), unpackTar(incoming));
  }
  await writeFile(join(incoming, "fonts.conf"), fontSettings(folder));
  await rename(incoming, folder).catch(async (error: unknown) => {
    // Another run may have been faster.
    await rm(incoming, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}
