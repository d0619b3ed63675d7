import type { WrittenLocation } from "../source-location.ts";

/** Maximum number of candidates. The first existing one is used. */
const MAX_PLACES = 30;

const PYTHON = /File "([^"\n]{1,500})", line (\d{1,7})/g;
const DOTNET = / in ([^\n]{1,500}?):line (\d{1,7})/g;
const JAVA = /^[ \t]*at ([^()\n]{1,500})\(([\w$-]{1,200}\.(?:java|kt|groovy|scala)):(\d{1,7})\)/gm;
/** Text between characters that delimit paths in most languages. */
const WORD = /[^\s()[\]"'`<>,]{1,500}/g;
const PATH_AND_LINE = /^(.{1,500}?):(\d{1,7})(?::(?:\d{1,7}|in))?[:.;]?$/;
const HAS_EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;

/** Test folders of builds for Java and related languages. */
const TEST_FOLDERS = [
  "src/test/java",
  "src/test/kotlin",
  "src/test/groovy",
  "src/test/scala",
  "src/test",
  "src",
  "test",
  ".",
];

interface Found {
  readonly index: number;
  readonly places: readonly WrittenLocation[];
}

/**
 * The places that a failure's text names: stack traces of Java, JavaScript, Python, .NET, PHP and Ruby, and any
 * `path/name.ext:12`. Java frames count only in the test's class: others are mostly in libraries, and each needs a
 * search.
 */
export function placesIn(text: string, className: string): WrittenLocation[] {
  return [...quotedPlaces(text), ...javaPlaces(text, className), ...plainPlaces(text, className)]
    .sort((a, b) => a.index - b.index)
    .slice(0, MAX_PLACES)
    .flatMap(({ places }) => places);
}

function quotedPlaces(text: string): Found[] {
  return [...text.matchAll(PYTHON), ...text.matchAll(DOTNET)].map(({ index, 1: file = "", 2: line }) => ({
    index,
    places: [{ file, line: Number(line) }],
  }));
}

/** A Java frame names class and file; the folder follows from the package. */
function javaPlaces(text: string, className: string): Found[] {
  if (className === "") return [];
  return [...text.matchAll(JAVA)].flatMap(({ index, 1: method = "", 2: name = "", 3: line }) => {
    const qualified = method.slice(method.lastIndexOf("/") + 1);
    if (!qualified.startsWith(className)) return [];
    const [packageName = ""] = /^(?:[a-z_][\w$]*\.)*(?=[A-Z])/.exec(qualified) ?? [];
    const path = `${packageName.replaceAll(".", "/")}${name}`;
    const places = TEST_FOLDERS.map((folder) => ({
      file: `${folder}/${path}`,
      line: Number(line),
      mustExist: true,
    }));
    return [{ index, places }];
  });
}

function plainPlaces(text: string, className: string): Found[] {
  const packages = foldersIn(className);
  return [...text.matchAll(WORD)].flatMap(({ index, 0: word }) => {
    const [, written = "", digits] = PATH_AND_LINE.exec(word) ?? [];
    const file = written.replace(/^file:\/\/(?=\/)/, "");
    if (!HAS_EXTENSION.test(file)) return [];
    const line = Number(digits);
    if (/[/\\]/.test(file)) return [{ index, places: [{ file, line }] }];
    // A bare file name looks the same as `example.com:443`.
    const places = packages.map((folder) => ({ file: `${folder}${file}`, line, mustExist: true }));
    return [{ index, places }];
  });
}

/** The Go package `example.com/shop/cart` is in the folder `cart` of its module. */
function foldersIn(className: string): string[] {
  if (!className.includes("/")) return [""];
  const parts = className.split("/");
  return [...parts.map((_, dropped) => `${parts.slice(dropped).join("/")}/`), ""];
}
