export const id = 737;
export const ids = [737];
export const modules = {

/***/ 5737:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readTestResults: () => (/* binding */ readTestResults)
});

// UNUSED EXPORTS: MAX_TEST_RESULTS_BYTES

// EXTERNAL MODULE: ./lib/api/errors.js
var errors = __webpack_require__(8937);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./lib/evidence/file-chunks.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});

const CHUNK_BYTES = 64 * 1024;
/** The bytes of a regular file. One buffer serves for all of it: a chunk is gone when the next one is asked for. */
async function* chunksOfFile(path) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const file = __addDisposableResource(env_1, await (0,promises_.open)(path, "r"), true);
        const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
        for (;;) {
            const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
            if (bytesRead === 0)
                return;
            yield buffer.subarray(0, bytesRead);
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}

// EXTERNAL MODULE: ./lib/evidence/report-fault.js
var report_fault = __webpack_require__(4606);
// EXTERNAL MODULE: ./lib/evidence/report-files.js
var report_files = __webpack_require__(733);
// EXTERNAL MODULE: ./lib/evidence/source-location.js
var source_location = __webpack_require__(3850);
// EXTERNAL MODULE: ./lib/evidence/xml.js
var xml = __webpack_require__(1992);
;// CONCATENATED MODULE: ./lib/evidence/test-results/failure-location.js
/** More would not be better: the first that can be found is taken. */
const MAX_PLACES = 30;
const PYTHON = /File "([^"\n]{1,500})", line (\d{1,7})/g;
const DOTNET = / in ([^\n]{1,500}?):line (\d{1,7})/g;
const JAVA = /^[ \t]*at ([^()\n]{1,500})\(([\w$-]{1,200}\.(?:java|kt|groovy|scala)):(\d{1,7})\)/gm;
/** Between these characters a path stands alone, in the texts of most languages. */
const WORD = /[^\s()[\]"'`<>,]{1,500}/g;
const PATH_AND_LINE = /^(.{1,500}?):(\d{1,7})(?::(?:\d{1,7}|in))?[:.;]?$/;
const HAS_EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Where builds of Java and its kin keep tests. */
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
/**
 * The places in sources that the text of a failure names, in its order: stack traces of Java, JavaScript, Python, .NET,
 * PHP and Ruby, and any `path/name.ext:12`. Of Java's, only those in the class of the test: the others are mostly of
 * libraries, and each costs a search.
 */
function placesIn(text, className) {
    return [...quotedPlaces(text), ...javaPlaces(text, className), ...plainPlaces(text, className)]
        .sort((a, b) => a.index - b.index)
        .slice(0, MAX_PLACES)
        .flatMap(({ places }) => places);
}
function quotedPlaces(text) {
    return [...text.matchAll(PYTHON), ...text.matchAll(DOTNET)].map(({ index, 1: file = "", 2: line }) => ({
        index,
        places: [{ file, line: Number(line) }],
    }));
}
/** A frame of Java names the class and the file, not the folder: that follows from the package. */
function javaPlaces(text, className) {
    if (className === "")
        return [];
    return [...text.matchAll(JAVA)].flatMap(({ index, 1: method = "", 2: name = "", 3: line }) => {
        const qualified = method.slice(method.lastIndexOf("/") + 1);
        if (!qualified.startsWith(className))
            return [];
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
function plainPlaces(text, className) {
    const packages = foldersIn(className);
    return [...text.matchAll(WORD)].flatMap(({ index, 0: word }) => {
        const [, written = "", digits] = PATH_AND_LINE.exec(word) ?? [];
        const file = written.replace(/^file:\/\/(?=\/)/, "");
        if (!HAS_EXTENSION.test(file))
            return [];
        const line = Number(digits);
        if (/[/\\]/.test(file))
            return [{ index, places: [{ file, line }] }];
        // A bare name, as Go and Java write it, looks the same as `example.com:443`.
        const places = packages.map((folder) => ({ file: `${folder}${file}`, line, mustExist: true }));
        return [{ index, places }];
    });
}
/** A package of Go, `example.com/shop/cart`, lies in the folder `cart` of its module. */
function foldersIn(className) {
    if (!className.includes("/"))
        return [""];
    const parts = className.split("/");
    return [...parts.map((_, dropped) => `${parts.slice(dropped).join("/")}/`), ""];
}

;// CONCATENATED MODULE: ./lib/evidence/test-results/attribute-values.js

const MAX_TIME_CHARACTERS = 50;
/** Seconds as tools write them: `0.5`, `1,234.5` of Surefire, `0,5` where commas are points; 0 for anything else. */
function seconds(written) {
    if (written === undefined)
        return undefined;
    const text = written.trim().replace(/s$/, "");
    const isGrouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
    const value = Number(isGrouped ? text.replaceAll(",", "") : text.replace(",", "."));
    return Number.isFinite(value) && value > 0 ? value : 0;
}
/** Unix seconds of a time with its zone. Without one it could be any of a day's hours. */
function unixSeconds(written) {
    if (written === undefined ||
        written.length > MAX_TIME_CHARACTERS ||
        !/\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(written))
        return undefined;
    const milliseconds = Date.parse(written);
    return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
/** @throws ReportFault for what is not a count: nothing may be read as 0 that could be a failure. */
function count(name, written) {
    if (written === undefined || written.trim() === "")
        return 0;
    if (/^\s*\d{1,9}\s*$/.test(written))
        return Number(written);
    throw new report_fault/* ReportFault */.p(`has a suite with ${name}="${written.slice(0, 50)}", which is not a count`);
}
/** A line number; undefined for anything else. */
function lineNumber(written) {
    return written !== undefined && /^[1-9]\d{0,6}$/.test(written) ? Number(written) : undefined;
}

;// CONCATENATED MODULE: ./lib/evidence/test-results/other-formats.js
/** Reports of tests that are no JUnit XML, by their root elements. All are what .NET writes unless told otherwise. */
const OF_ROOT = new Map([
    ["TestRun", "a TRX report (MSTest, Visual Studio)"],
    ["test-run", "an NUnit report"],
    ["test-results", "an NUnit report"],
    ["assemblies", "an xUnit.net report"],
    ["assembly", "an xUnit.net report"],
]);
const WAY_OUT = 'add the package JunitXml.TestLogger, and let `dotnet test --logger "junit;LogFilePath=results.xml"` write the file';
/** Why XML with this root element is not JUnit XML, to stand after the word that names it. */
function whyNotJunit(root) {
    const known = OF_ROOT.get(root);
    return known === undefined
        ? `is not JUnit XML: its root element is '${root.slice(0, 50)}', not testsuites or testsuite`
        : `is ${known}, not JUnit XML: ${WAY_OUT}`;
}

;// CONCATENATED MODULE: ./lib/evidence/test-results/unlisted-failures.js
/**
 * What a suite counts as failed beyond what its tests tell of. Tools differ in what they call a failure and what an
 * error, so the two are compared together.
 *
 * @param told with failures of tests that passed when they were run again, unless the suite counts these apart
 */
function untoldFailures(counted, told) {
    const untold = Math.max(0, sum(counted) - sum(told));
    const errors = Math.min(untold, Math.max(0, counted.errors - told.errors));
    return { failures: untold - errors, errors };
}
/** At most so many of them, errors first. */
function firstOf({ failures, errors }, most) {
    const room = Math.max(0, most);
    const first = Math.min(errors, room);
    return { failures: Math.min(failures, room - first), errors: first };
}
function sum({ failures, errors }) {
    return failures + errors;
}
/** The runner shows ten warnings of a step, and there are others. */
const MAX_SHOWN = 3;
/** Gathers disagreements to warn of. It keeps no more of them than are shown. */
class Disagreements {
    #shown = [];
    #further = 0;
    add(found) {
        if (this.#shown.length < MAX_SHOWN)
            this.#shown.push(found);
        else
            this.#further += 1;
    }
    get warnings() {
        const shown = this.#shown.map(({ suite, report, counted, told }) => {
            // A suite without a name goes by that of its report.
            const what = suite === report ? `'${report}'` : `the suite '${suite}' in '${report}'`;
            return `${what} counts failures and errors: ${counted}, but its tests tell of ${told}; the difference counts as failed`;
        });
        if (this.#further === 0)
            return shown;
        const suites = this.#further === 1 ? "suite counts" : "suites count";
        return [...shown, `${this.#further} further ${suites} more failures and errors than their tests tell of`];
    }
}

;// CONCATENATED MODULE: ./lib/evidence/test-results/junit.js




const MAX_NAME_CHARACTERS = 500;
const MAX_MESSAGE_CHARACTERS = 1000;
/** How much of a failure's text is kept to look for its place. */
const MAX_TEXT_CHARACTERS = 16 * 1024;
const NO_ATTRIBUTES = { get: () => undefined, values: () => [] };
const FAILED = new Set(["failed", "failure", "fail"]);
const BROKEN = new Set(["error", "errored", "broken"]);
const LEFT_OUT = new Set(["notrun", "disabled", "skipped", "ignored", "suppressed"]);
/** Elements of tests that were run again, and what each tells of. */
const RERUNS = new Map([
    ["flakyFailure", "failures"],
    ["rerunFailure", "failures"],
    ["flakyError", "errors"],
    ["rerunError", "errors"],
]);
/**
 * Counts the tests of one JUnit XML file into a tally. The elements of the tests count, not what their suites say of
 * them, but for two things: a suite without tests is taken at its word, and a suite that counts more failures than its
 * tests tell of has that many more.
 */
class JunitReader {
    #report;
    #tally;
    #kinds = [];
    #suites = [];
    #cases = [];
    /** The outcome whose text is being read. */
    #reading;
    constructor(report, tally) {
        this.#report = report;
        this.#tally = tally;
    }
    open(name, attributes) {
        if (this.#kinds.length === 0 && name !== "testsuites" && name !== "testsuite") {
            throw new report_fault/* ReportFault */.p(whyNotJunit(name));
        }
        this.#kinds.push(this.#begin(name, attributes));
    }
    text(part) {
        const outcome = this.#reading;
        if (outcome === undefined || outcome.text.length >= MAX_TEXT_CHARACTERS)
            return;
        outcome.text += part.slice(0, MAX_TEXT_CHARACTERS - outcome.text.length);
    }
    close() {
        const kind = this.#kinds.pop();
        if (kind === "outcome" || kind === "lone outcome")
            this.#reading = undefined;
        if (kind === "case" || kind === "lone outcome")
            this.#endCase();
        if (kind === "suite")
            this.#endSuite();
    }
    #begin(name, attributes) {
        const test = this.#cases.at(-1);
        if (name === "testsuites" || name === "testsuite") {
            this.#beginSuite(name === "testsuite", attributes);
            return "suite";
        }
        if (name === "testcase") {
            this.#beginCase(attributes);
            return "case";
        }
        if (name === "failure" || name === "error") {
            if (test === undefined)
                this.#beginCase(NO_ATTRIBUTES);
            this.#beginOutcome(name, attributes);
            return test === undefined ? "lone outcome" : "outcome";
        }
        if (test !== undefined && (name === "skipped" || name === "disabled"))
            test.isSkipped = true;
        const rerun = RERUNS.get(name);
        if (test !== undefined && rerun !== undefined) {
            test.isFlaky = true;
            test.told[rerun] += 1;
        }
        return "unknown";
    }
    #beginSuite(isSuite, attributes) {
        const around = this.#suites.at(-1);
        if (around !== undefined)
            around.holdsSuites = true;
        this.#suites.push({
            name: junit_short(attributes.get("name")) || around?.name || this.#report,
            file: junit_short(attributes.get("file") ?? attributes.get("filepath")) || around?.file || "",
            attributes,
            isSuite,
            before: this.#tally.mark,
            holdsSuites: false,
            failures: 0,
            errors: 0,
            skipped: 0,
            flaky: 0,
            total: 0,
            told: { failures: 0, errors: 0 },
            toldByPassed: { failures: 0, errors: 0 },
            duration: undefined,
        });
    }
    #beginCase(attributes) {
        const suite = this.#suites.at(-1);
        const file = junit_short(attributes.get("file"));
        const status = (attributes.get("status") ?? "").toLowerCase();
        const result = (attributes.get("result") ?? "").toLowerCase();
        const kind = FAILED.has(status) ? "failure" : BROKEN.has(status) ? "error" : undefined;
        this.#cases.push({
            name: junit_short(attributes.get("name")),
            className: junit_short(attributes.get("classname")),
            file: file || suite?.file || "",
            line: lineNumber(attributes.get("line")),
            isSkipped: LEFT_OUT.has(status) || LEFT_OUT.has(result),
            isFlaky: false,
            outcome: kind && { kind, message: "", text: "" },
            told: { failures: 0, errors: 0 },
        });
        const time = seconds(attributes.get("time"));
        if (suite !== undefined && time !== undefined)
            suite.duration = (suite.duration ?? 0) + time;
    }
    /** A test with several of them failed once: its first failure tells, or its first error when there is none. */
    #beginOutcome(kind, attributes) {
        const test = this.#cases.at(-1);
        if (test === undefined)
            return;
        const known = test.outcome;
        test.told[kind === "failure" ? "failures" : "errors"] += 1;
        const isFailure = kind === "failure" || known?.kind === "failure";
        const found = {
            kind: isFailure ? "failure" : "error",
            message: attributes.get("message") ?? "",
            text: "",
        };
        const isReported = known !== undefined && (known.message !== "" || known.text !== "");
        if (!isReported || (known.kind === "error" && kind === "failure"))
            test.outcome = found;
        this.#reading = test.outcome === found ? found : undefined;
    }
    #endCase() {
        const test = this.#cases.pop();
        const suite = this.#suites.at(-1);
        if (test === undefined || suite === undefined)
            return;
        suite.total += 1;
        add(test.outcome === undefined ? suite.toldByPassed : suite.told, test.told);
        if (test.outcome !== undefined)
            this.#fail(suite, test, test.outcome);
        else if (test.isSkipped)
            suite.skipped += 1;
        else if (test.isFlaky)
            suite.flaky += 1;
    }
    #fail(suite, test, { kind, message, text }) {
        const counted = kind === "failure" ? "failures" : "errors";
        suite[counted] += 1;
        // By its status alone.
        if (sum(test.told) === 0)
            suite.told[counted] += 1;
        if (!this.#tally.hasRoom)
            return;
        const { name, className, file, line } = test;
        this.#tally.failures.push({
            kind,
            suite: suite.name,
            className,
            name: name || className || suite.name,
            message: (message.trim() || firstLine(text)).slice(0, MAX_MESSAGE_CHARACTERS),
            report: this.#report,
            file,
            line,
            text,
        });
    }
    #endSuite() {
        const suite = this.#suites.pop();
        if (suite === undefined)
            return;
        const { name, attributes, flaky } = suite;
        const isSummaryOnly = suite.isSuite && suite.total === 0 && !suite.holdsSuites;
        const { failures, errors, skipped, total } = isSummaryOnly
            ? reportedCounts(attributes)
            : this.#withUntold(suite);
        const around = this.#suites.at(-1);
        if (around !== undefined) {
            add(around.told, isSummaryOnly ? { failures, errors } : suite.told);
            if (!countsFlakesApart(attributes))
                add(around.toldByPassed, suite.toldByPassed);
        }
        if (total === 0)
            return;
        const timestamp = unixSeconds(attributes.get("timestamp"));
        // What a suite says of its time holds that of the suites in it, which count for themselves.
        const stated = suite.holdsSuites ? undefined : seconds(attributes.get("time"));
        const duration = suite.duration ?? stated ?? 0;
        const result = { name, failures, errors, skipped, total, duration };
        this.#tally.addSuite(timestamp === undefined ? result : { ...result, timestamp }, flaky);
    }
    /** The counts of a suite with the failures that only the suite itself counts, which are told from here on. */
    #withUntold(suite) {
        const { name, attributes, told, toldByPassed, skipped } = suite;
        const said = reportedFailures(attributes);
        const explained = { ...told };
        if (!countsFlakesApart(attributes))
            add(explained, toldByPassed);
        const untold = untoldFailures(said, explained);
        if (sum(untold) > 0) {
            this.#tally.disagreements.add({
                suite: name,
                report: this.#report,
                counted: sum(said),
                told: sum(explained),
            });
        }
        add(told, untold);
        const within = this.#failWithin(suite, untold);
        const failures = suite.failures + untold.failures - within.failures;
        const errors = suite.errors + untold.errors - within.errors;
        return { failures, errors, skipped, total: Math.max(suite.total, failures + errors + skipped) };
    }
    /**
     * Turns passed tests of the suites within a suite into failed ones: those that only the suite counts are among its
     * tests, as far as it does not say that it has more of them than there are.
     *
     * @returns how many, which leaves the others to the suite itself
     */
    #failWithin({ attributes, holdsSuites, before, ...own }, untold) {
        if (!holdsSuites || sum(untold) === 0)
            return { failures: 0, errors: 0 };
        const within = this.#tally.since(before);
        const further = Math.max(0, count("tests", attributes.get("tests")) - within.total - own.total);
        const ownPassed = own.total - sum(own) - own.skipped;
        const turned = firstOf(untold, Math.min(within.passed, sum(untold) - further - ownPassed));
        this.#tally.failPassed(before, turned);
        return turned;
    }
}
/** A suite that says how many tests passed in a rerun does not count what they tell of among its failures. */
function countsFlakesApart({ get }) {
    return get("flakes") !== undefined;
}
function reportedFailures({ get }) {
    return { failures: count("failures", get("failures")), errors: count("errors", get("errors")) };
}
function reportedCounts(attributes) {
    const { get } = attributes;
    const { failures, errors } = reportedFailures(attributes);
    const skipped = count("skipped", get("skipped") ?? get("skip") ?? get("skips")) + count("disabled", get("disabled"));
    // A total that leaves out what failed would make it vanish.
    const total = Math.max(count("tests", get("tests")), failures + errors + skipped);
    return { failures, errors, skipped, total };
}
function add(to, more) {
    to.failures += more.failures;
    to.errors += more.errors;
}
function junit_short(text) {
    return (text ?? "").trim().slice(0, MAX_NAME_CHARACTERS);
}
function firstLine(text) {
    return /\S[^\n]*/.exec(text)?.[0].trim() ?? "";
}

;// CONCATENATED MODULE: ./lib/evidence/test-results/tally.js

/** Each is an object in one request, which has a limit of its own. */
const MAX_SUITES = 1000;
const MAX_FAILURES = 50;
/** What was counted so far. It grows with the limits, never with the reports. */
class Tally {
    failures = [];
    disagreements = new Disagreements();
    #suites = [];
    #furtherSuites = 0;
    #further = { name: "", failures: 0, errors: 0, skipped: 0, total: 0, duration: 0 };
    #sum = this.#further;
    #flaky = 0;
    addSuite(suite, flaky) {
        this.#sum = plus(this.#sum, suite);
        this.#flaky += flaky;
        if (this.#suites.length < MAX_SUITES) {
            this.#suites.push({ ...suite, duration: rounded(suite.duration) });
        }
        else {
            this.#furtherSuites += 1;
            this.#further = plus(this.#further, suite);
        }
    }
    get mark() {
        return { suites: this.#suites.length, total: this.#sum.total, passed: passedOf(this.#sum) };
    }
    /** The tests that were counted since then. */
    since({ total, passed }) {
        return { total: this.#sum.total - total, passed: passedOf(this.#sum) - passed };
    }
    /** Turns tests that passed since then into failed ones, of the first suites that have any. */
    failPassed({ suites }, failed) {
        this.#sum = plusFailed(this.#sum, failed);
        let left = failed;
        for (const [index, suite] of this.#suites.entries()) {
            if (sum(left) === 0)
                return;
            if (index < suites)
                continue;
            const here = firstOf(left, passedOf(suite));
            this.#suites[index] = plusFailed(suite, here);
            left = { failures: left.failures - here.failures, errors: left.errors - here.errors };
        }
        this.#further = plusFailed(this.#further, left);
    }
    /** True when one more failure would be kept. */
    get hasRoom() {
        return this.failures.length < MAX_FAILURES;
    }
    get suiteCount() {
        return this.#suites.length + this.#furtherSuites;
    }
    get suites() {
        if (this.#furtherSuites === 0)
            return this.#suites;
        const name = `${this.#furtherSuites} further ${this.#furtherSuites === 1 ? "suite" : "suites"}`;
        return [...this.#suites, { ...this.#further, name, duration: rounded(this.#further.duration) }];
    }
    get counts() {
        const { total, failures, errors, skipped, duration } = this.#sum;
        return {
            total,
            passed: passedOf(this.#sum),
            failures,
            errors,
            skipped,
            flaky: this.#flaky,
            duration: rounded(duration),
        };
    }
}
function passedOf({ total, failures, errors, skipped }) {
    return total - failures - errors - skipped;
}
function plusFailed(suite, { failures, errors }) {
    return { ...suite, failures: suite.failures + failures, errors: suite.errors + errors };
}
function plus(a, b) {
    return {
        name: a.name,
        failures: a.failures + b.failures,
        errors: a.errors + b.errors,
        skipped: a.skipped + b.skipped,
        total: a.total + b.total,
        duration: a.duration + b.duration,
    };
}
/** To the microsecond: what binary fractions add is not shown. */
function rounded(seconds) {
    return Math.round(seconds * 1e6) / 1e6;
}

;// CONCATENATED MODULE: ./lib/evidence/test-results/read-test-results.js









const INPUT = "test-results";
/** Files are read as a stream and not kept, so this only bounds the time. */
const MAX_TEST_RESULTS_BYTES = 1024 * 1024 * 1024;
/**
 * Reads JUnit XML files as their tools write them, and counts their tests.
 *
 * @throws InputError (`test-results`) when a pattern finds nothing, a file is not whole and sound JUnit XML, or there
 * is no test in any of them.
 */
async function readTestResults(request) {
    const { files, workspace, warnings } = await (0,report_files/* selectReports */.O)({
        ...request,
        input: INPUT,
        maxBytes: MAX_TEST_RESULTS_BYTES,
    });
    const tally = new Tally();
    const empty = [];
    for (const { realPath, shown } of files) {
        const before = tally.counts.total;
        await (0,report_fault/* readingReport */.$)(INPUT, shown, () => (0,xml/* readXml */.k)(chunksOfFile(realPath), new JunitReader(shown, tally)));
        if (tally.counts.total === before)
            empty.push(shown);
    }
    const { counts } = tally;
    if (counts.total === 0)
        throw noTests(files.map(({ shown }) => shown));
    const failures = [];
    for (const failure of tally.failures)
        failures.push(await located(failure, workspace));
    return {
        suites: tally.suites,
        suiteCount: tally.suiteCount,
        counts,
        failures,
        furtherFailures: counts.failures + counts.errors - failures.length,
        reports: files.map(({ shown }) => shown),
        ...verdict(counts),
        warnings: [
            ...warnings,
            ...empty.map((shown) => `'${shown}' holds no tests`),
            ...tally.disagreements.warnings,
        ],
    };
}
function noTests(shown) {
    const [only] = shown;
    const where = shown.length === 1 && only !== undefined ? `'${only}' holds` : `the ${shown.length} files hold`;
    return new errors/* InputError */.dz([{ input: INPUT, problem: `${where} no tests, which proves nothing` }], {
        advice: "Check that the tests ran, and that they write their results to the files named here.",
    });
}
function verdict({ total, failures, errors, skipped, }) {
    const failed = failures + errors;
    const tests = total === 1 ? "test" : "tests";
    if (failed > 0)
        return { compliant: false, reason: `${failed} of ${total} ${tests} failed` };
    if (skipped === total) {
        return { compliant: false, reason: `no test ran: all of ${total} ${tests} were skipped` };
    }
    return { compliant: true, reason: "" };
}
async function located(failure, workspace) {
    const { file, line, text, ...told } = failure;
    const location = await locate(failure, workspace);
    return location === undefined ? told : { ...told, location };
}
/** The place that the report names, else one in the text, else the file that a suite or class is named after. */
async function locate(failure, workspace) {
    const { file, line, report, className, suite } = failure;
    const inText = placesIn(failure.text, className);
    if (file !== "") {
        const named = line === undefined ? { file } : { file, line };
        const found = await (0,source_location/* findInWorkspace */.e)([named], workspace, report);
        if (found !== undefined && line !== undefined)
            return found;
        for (const place of found === undefined ? [] : inText) {
            const inFile = await (0,source_location/* findInWorkspace */.e)([place], workspace, report);
            if (inFile?.file === found?.file && inFile?.line !== undefined)
                return inFile;
        }
        if (found !== undefined)
            return found;
    }
    const named = [className, suite]
        .filter((name) => /\.\w+$/.test(name))
        .map((name) => ({ file: name, mustExist: true }));
    return await (0,source_location/* findInWorkspace */.e)([...inText, ...named], workspace, report);
}


/***/ }),

/***/ 1992:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   k: () => (/* binding */ readXml)
/* harmony export */ });
/* harmony import */ var sax__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2560);
/* harmony import */ var _report_fault_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4606);
/* harmony import */ var _text_encoding_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2878);



/** Far more than any report nests, and little to keep. */
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 500;
/** The longest name, attribute value or comment. Only texts may be longer: they come in parts. */
const MAX_TOKEN_CHARACTERS = 4 * 1024 * 1024;
const OPTIONS = { position: true, strictEntities: true };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what XML may not hold
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
// The parser knows this limit only as one for all parsers.
Object.assign(sax__WEBPACK_IMPORTED_MODULE_0__, { MAX_BUFFER_LENGTH: MAX_TOKEN_CHARACTERS });
/**
 * Reads XML from parts of its bytes, none of which is kept. A DOCTYPE, which could make more of the text than it says,
 * is refused, and so is every entity but the five of XML.
 *
 * @throws ReportFault, with line and column, for what is not well-formed or beyond a limit.
 */
async function readXml(parts, handler) {
    const reader = new XmlReader(handler);
    let decoder;
    for await (const part of parts) {
        decoder ??= (0,_text_encoding_js__WEBPACK_IMPORTED_MODULE_2__/* .decoderFor */ .o)(part);
        reader.write(decoder.decode(part));
    }
    if (decoder !== undefined)
        reader.write(decoder.end());
    reader.end();
}
class XmlReader {
    #parser = sax__WEBPACK_IMPORTED_MODULE_0__.parser(true, OPTIONS);
    #depth = 0;
    #attributes = 0;
    #sawRoot = false;
    constructor(handler) {
        const parser = this.#parser;
        parser.onopentagstart = () => {
            this.#attributes = 0;
        };
        parser.onattribute = ({ name }) => this.#attribute(name);
        parser.onopentag = ({ name, attributes }) => {
            this.#open();
            const get = (key) => (Object.hasOwn(attributes, key) ? String(attributes[key]) : undefined);
            handler.open(localName(name), { get, values: () => Object.values(attributes).map(String) });
        };
        parser.onclosetag = () => {
            this.#depth -= 1;
            handler.close();
        };
        parser.ontext = (part) => handler.text(part);
        parser.oncdata = (part) => handler.text(part);
        parser.ondoctype = () => this.#refuseDoctype();
        parser.onsgmldeclaration = () => {
            throw this.#fault("is not well-formed: a declaration stands where none may be");
        };
        parser.onerror = (error) => {
            throw this.#fault(describe(error.message));
        };
    }
    write(text) {
        const forbidden = FORBIDDEN.exec(text);
        this.#parser.write(forbidden === null ? text : text.slice(0, forbidden.index));
        if (forbidden === null)
            return;
        const code = forbidden[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        this.#parser.column += 1;
        throw this.#fault(`holds the control character U+${code}, which XML may not`);
    }
    end() {
        this.#parser.close();
        if (!this.#sawRoot)
            throw new _report_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .ReportFault */ .p("holds no XML element");
    }
    #attribute(name) {
        this.#attributes += 1;
        if (this.#attributes > MAX_ATTRIBUTES)
            throw this.#fault(`has an element with more than ${MAX_ATTRIBUTES} attributes`);
        // The parser calls this method of what it gathers the attributes in.
        if (name === "hasOwnProperty")
            throw this.#fault(`has an attribute '${name}', which is refused`);
    }
    #open() {
        // The event of a DOCTYPE comes at its end, which elements within it can keep from coming.
        if ("doctype" in this.#parser && this.#parser.doctype !== "")
            this.#refuseDoctype();
        if (this.#depth === 0 && this.#sawRoot)
            throw this.#fault("is not well-formed: a second root element follows the first");
        this.#sawRoot = true;
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH)
            throw this.#fault(`is nested deeper than ${MAX_DEPTH} elements`);
    }
    #refuseDoctype() {
        throw this.#fault("has a DOCTYPE, which is refused: it could define entities and name other files");
    }
    #fault(problem) {
        const { line, column } = this.#parser;
        return new _report_fault_js__WEBPACK_IMPORTED_MODULE_1__/* .ReportFault */ .p(problem, { line: line + 1, column: Math.max(column, 1) });
    }
}
function localName(name) {
    return name.slice(name.lastIndexOf(":") + 1);
}
/** The parser's message goes on to say where, and what stands there. */
function describe(message) {
    const [what = ""] = message.split("\n");
    if (/doctype/i.test(what))
        return "has a DOCTYPE where none may be";
    if (what.startsWith("Max buffer length"))
        return `has a name, value or comment longer than ${MAX_TOKEN_CHARACTERS} characters`;
    if (/entity/i.test(what))
        return "is not well-formed: XML knows no such entity or character reference";
    if (/^(?:Unclosed root tag|Unexpected end)/.test(what))
        return "ends too early";
    return `is not well-formed: ${what.charAt(0).toLowerCase()}${what.slice(1).replace(/\.$/, "")}`;
}


/***/ })

};
