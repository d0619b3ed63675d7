import { beforeAll, describe, expect, it } from "vitest";
import { pipeline, send } from "../requests.ts";
import { ORG, type TestService } from "../running-service.ts";
import { problemsOn, signedIn, type Visitor } from "./visitor.ts";

let service: TestService;
let admin: Visitor;

const page = async (path: string) => {
  const { text, ...answered } = await admin.get(`/${ORG}${path}`);
  return { ...answered, text: text.replaceAll("&amp;", "&").replaceAll("&#39;", "'") };
};
const rows = async (path: string, table: string) =>
  (await page(`${path}${path.includes("?") ? "&" : "?"}format=csv&table=${table}`)).text
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(","));
const alertOf = (text: string) => /role="alert"[^>]*><p>([^<]*)/.exec(text)?.[1];
const positionOf = (text: string) => /<span class="position">([^<]*)/.exec(text)?.[1];
const api = async (path: string) => (await send(service, { path, key: service.keys.reader })).body;

interface Trail {
  readonly name: string;
  readonly compliance_state: string;
  readonly created_at: number;
  readonly git_commit_info: { readonly branch: string; readonly author: string; readonly message: string };
}
const DAY = 86_400;
const trailsOf = async (flow: string): Promise<Trail[]> => api(`/trails/${ORG}/${flow}`);
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

/** Asks a service with the records of the company for its lists, and adds records to it. */
export function filterCases(company: () => TestService): void {
  beforeAll(async () => {
    service = company();
    admin = await signedIn(service, service.keys.admin);
  });

  it("the figures of the home page lead to what they count", async () => {
    const { text } = await page("");
    const tile = (label: string) =>
      new RegExp(`<a href="/acme([^"]*)">${label}</a></p>\\s*<p class="figure">(\\d+)`)
        .exec(text)
        ?.slice(1) ?? [];
    const totalOf = async (path = "") => {
      const list = await page(path);
      return list.text.includes("No deployments match.")
        ? "0"
        : / of (\d+)$/.exec(positionOf(list.text) ?? "")?.[1];
    };
    const [deployments, count] = tile("Deployments a week");
    expect(Number(count)).toBeGreaterThan(10);
    expect(await totalOf(deployments)).toBe(count);
    const [unreviewed, without] = tile("Without review");
    expect(unreviewed).toContain("review=none&from=");
    expect(await totalOf(unreviewed)).toBe(without);
    const bars = [...text.matchAll(/<a href="\/acme([^"]*)" aria-label="Week of \S+: ([^"]*)"/g)];
    expect(bars).toHaveLength(12);
    for (const [, path = "", words = ""] of bars) {
      const all = [...words.matchAll(/\d+/g)].reduce((sum, [each]) => sum + Number(each), 0);
      const found = (await page(path)).text;
      expect(found).toContain(`Trails: ${all}`);
      expect(found).not.toContain("Artifacts:");
    }
    expect(bars.map(([, path]) => path)).toContain(tile("Trails compliant")[0]);
  });

  describe("the filter of trails", () => {
    it.each<[string, (trail: Trail) => boolean]>([
      ["state=COMPLIANT", (each) => each.compliance_state === "COMPLIANT"],
      ["branch=main", (each) => each.git_commit_info.branch === "main"],
      ["author=zoe+braun", (each) => each.git_commit_info.author.startsWith("Zoe Braun")],
      ["text=prices", (each) => each.git_commit_info.message.includes("prices")],
      [
        "period=custom&from=2026-11-01&to=2026-11-30",
        (each) => each.created_at >= startOf("2026-11-01") && each.created_at < startOf("2026-12-01"),
      ],
      [
        "state=COMPLIANT&branch=main&author=zoe&from=2026-10-01",
        (each) =>
          each.compliance_state === "COMPLIANT" &&
          each.git_commit_info.branch === "main" &&
          each.git_commit_info.author.startsWith("Zoe") &&
          each.created_at >= startOf("2026-10-01"),
      ],
    ])("%s", async (query, isWanted) => {
      const all = await trailsOf("checkout");
      const wanted = all.filter(isWanted).map(({ name }) => name);
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.length).toBeLessThan(all.length);
      expect((await rows(`/flows/checkout?${query}`, "trails")).map(([name]) => name)).toEqual(wanted);
      expect(positionOf((await page(`/flows/checkout?${query}`)).text)).toBe(
        `1–${wanted.length} of ${wanted.length}`,
      );
    });

    it("keeps its values in the fields, and each as a chip that can be removed", async () => {
      const { text } = await page("/flows/checkout?state=COMPLIANT&author=%22Zoe&from=2026-10-01&page=1&x=y");
      expect(text).toContain('<option value="COMPLIANT" selected>');
      expect(text).toContain('name="author" type="text" value="&quot;Zoe"');
      expect(text).toContain('name="from" type="date" value="2026-10-01"');
      expect(text).toContain('<input type="hidden" name="x" value="y">');
      const chips = [...text.matchAll(/<a href="([^"]*)" aria-label="Remove (\w+):[^"]*">/g)];
      expect(chips.map(([, href, name]) => [name, href])).toEqual([
        ["State", "?author=%22Zoe&from=2026-10-01&x=y"],
        ["Author", "?state=COMPLIANT&from=2026-10-01&x=y"],
        ["Period", "?state=COMPLIANT&author=%22Zoe&x=y"],
      ]);
      expect(text).toContain('<a href="?x=y">Clear</a>');
    });

    it.each(["", "/artifacts"])("offers the branches and authors of the latest trails: %s", async (list) => {
      const { text } = await page(`/flows/checkout${list}`);
      expect(text).toMatch(/<datalist id="filter-branch-known">.*<option value="main">/);
      expect(text).toMatch(/<datalist id="filter-author-known">.*<option value="Zoe Braun">/);
    });

    it("says which values match, in every list", async () => {
      const hints = async (path: string) =>
        Object.fromEntries(
          [...(await page(path)).text.matchAll(/id="filter-(\w+)-hint">([^<]*)/g)].map(([, name, hint]) => [
            name,
            hint,
          ]),
        );
      const found = { branch: "Whole name", author: "Beginning of a name", text: "Beginning of each word" };
      expect(await hints("/flows/checkout")).toEqual(found);
      expect(await hints("/flows/checkout/artifacts")).toEqual(found);
      const tag = "Whole tag, or its key";
      expect(await hints("/deployments")).toEqual({ repo: "Whole name, or its end", tag });
      expect(await hints("/environments")).toEqual({ tag });
      expect(await hints("/audit-log")).toEqual({ account: "Whole name", resource: "Whole name" });
    });

    it("says that none match, or what is wrong", async () => {
      const none = await page("/flows/checkout?branch=no-such");
      expect([none.status, none.text]).toEqual([200, expect.stringContaining("No trails match.")]);
      expect(none.text).toContain(`<a href="/${ORG}/flows/checkout">Clear the filter</a>`);
      const problems = {
        "state=GOOD": { "filter-state": "'GOOD' is not a value of State: choose one of the list" },
        "period=often": { "filter-period": "'often' is not a period: choose one of the list" },
        "from=2026-10-02&to=2026-10-01": {
          "filter-to": "The period ends before it begins: change From or To",
        },
        "from=2030-01-01": {
          "filter-from": "This day is in the future. Without To, the period ends today",
        },
        "from=yesterday": {
          "filter-from": "'yesterday' is not a valid day: use YYYY-MM-DD, such as 2027-01-31",
        },
        "branch=!!!": { "filter-branch": "Nothing can be found by '!!!': enter a letter or a digit" },
        "text=%22-%22&branch=main": {
          "filter-text": "Nothing can be found by '&quot;-&quot;': enter a letter or a digit",
        },
        [`text=${"x+".repeat(21)}`]: { "filter-text": "Search for at most 20 words, got 21" },
      };
      for (const [query, messages] of Object.entries(problems)) {
        const answered = await page(`/flows/checkout?${query}`);
        expect([query, answered.status, problemsOn(answered)]).toEqual([query, 400, messages]);
        expect(answered.text, "the fields are open").toContain("<details open><summary>Filter</summary>");
        expect(alertOf(answered.text)).toBe("The filter was not accepted. Check ");
        expect(answered.text).not.toContain("<table");
      }
      const unknown = await page("/flows/checkout?state=GOOD&author=zoe");
      expect(unknown.text).toContain('<option value="GOOD" selected>GOOD</option>');
      expect(unknown.text).toContain('name="author" type="text" value="zoe"');
      expect((await page("/flows/no-such?state=GOOD")).status).toBe(404);
      const csv = await page("/flows/checkout?state=GOOD&format=csv&table=trails");
      expect([csv.status, csv.text]).toEqual([400, expect.stringContaining("is not a value of State")]);
    });
  });

  describe("the found records", () => {
    it("have any typed text, which is no qualifier", async () => {
      const path = "/flows/checkout/artifacts";
      const [[name] = []] = await rows(path, "artifacts");
      const image = name?.split("/").at(-1);
      expect(image).toMatch(/^checkout:/);
      const found = await rows(`${path}?text=${image}`, "artifacts");
      expect(found.map(([each]) => each)).toContain(name);
      for (const text of ["is:failing", "flow:x", 'fix:"a b', '"flow:x y"']) {
        const { status } = await page(`${path}?text=${encodeURIComponent(text)}`);
        expect([text, status]).toEqual([text, 200]);
      }
    });

    it("have their whole commits, and the last change only where it is known", async () => {
      const commitsOf = async (path: string, table: string) => {
        const { text } = await page(`${path}format=csv&table=${table}`);
        const [head = [], ...lines] = text
          .trim()
          .split("\r\n")
          .map((line) => line.split(","));
        return { head, commits: lines.map((line) => line[head.indexOf("Commit")]) };
      };
      const all = await commitsOf("/flows/checkout?", "trails");
      const found = await commitsOf("/flows/checkout?branch=main&", "trails");
      expect(all.commits).toEqual(expect.arrayContaining(found.commits));
      expect(found.commits.length).toBeGreaterThan(0);
      expect(found.head).toEqual(all.head.filter((column) => column !== "Last changed"));
      const path = "/flows/checkout/artifacts?";
      const artifacts = await commitsOf(path, "artifacts");
      const onMain = await commitsOf(`${path}branch=main&`, "artifacts");
      expect(artifacts.commits).toEqual(expect.arrayContaining(onMain.commits));
      expect(onMain.head).toEqual(artifacts.head);
    });

    it("may lack older ones, which a page without any says", async () => {
      const busy = pipeline(service);
      await busy.flow("busy");
      for (let number = 1; number <= 501; number++) await busy.trail("busy", `run-${number}`);
      // The words are in more trails than the index returns, and the phrase in none.
      expect((await page("/flows/busy?text=%22run+busy%22")).text).toContain(
        "None among the newest records. Choose a shorter period.",
      );
      for (const [path, things] of Object.entries({
        "/flows/busy": "trails",
        "/flows/busy/artifacts": "artifacts",
      })) {
        const { text } = await page(`${path}?from=2020-01-01&to=2020-01-02`);
        expect(text, "all of the period were read").toContain(`No ${things} match.`);
      }
      expect((await page("/flows/busy?branch=no-such")).text).toContain("No trails match.");
    });
  });

  describe("the pages of a list", () => {
    it("keep the filter and the order, and one beyond the end says so", async () => {
      for (let number = 1; number <= 60; number++) {
        await pipeline(service).control({
          identifier: `C-${number}`,
          name: `Listed ${number}`,
          description: "",
        });
      }
      const first = (await page("/controls?text=listed&direction=desc")).text;
      expect(positionOf(first)).toBe("1–50 of 60");
      expect(first).toContain('<a rel="next" href="?text=listed&direction=desc&page=2">');
      expect(first).toContain('<input type="hidden" name="direction" value="desc">');
      const second = (await page("/controls?text=listed&direction=desc&page=2")).text;
      expect(positionOf(second)).toBe("51–60 of 60");
      expect(second).toContain('<a rel="prev" href="?text=listed&direction=desc">');
      const { status, text } = await page("/controls?text=listed&page=9");
      expect(status).toBe(200);
      expect(text).toContain("Page 9 is beyond the end of the list.");
      expect(text).toContain('<a href="?text=listed&page=2">Last page</a>');
      expect((await page("/flows/checkout/artifacts?page=9")).text).toContain("Page 9 is beyond the end");
    });

    it("of a report has every control, in the months of the period", async () => {
      const grid = await page("/reports?from=2026-11-05&to=2026-12-05&format=csv&table=controls");
      const [head, ...lines] = grid.text.trim().split("\r\n");
      expect(head).toBe("Control,2026-11,2026-12");
      expect(lines.length).toBeGreaterThan(60);
      const usual = await page("/reports?format=csv&table=controls");
      expect(usual.text.split("\r\n", 1)[0], "the last quarter").toBe("Control,2026-10,2026-11,2026-12");
    });
  });

  describe("the filter of artifacts", () => {
    it("finds by state, branch, author, environment, text and period", async () => {
      const path = "/flows/checkout/artifacts";
      const all = await rows(path, "artifacts");
      expect((await rows(`${path}?state=COMPLIANT`, "artifacts")).length).toBe(
        all.filter(([, , state]) => state === "COMPLIANT").length,
      );
      const snapshot = await api(`/snapshots/${ORG}/production/-1`);
      const running = snapshot.artifacts
        .filter(
          ({ name, annotation }: { name: string; annotation?: { now: number } }) =>
            name.includes("/checkout:") && annotation?.now !== 0,
        )
        .map(({ fingerprint }: { fingerprint: string }) => fingerprint);
      const found = await rows(`${path}?env=production`, "artifacts");
      expect(found.map(([, fingerprint]) => fingerprint)).toEqual(running);
      for (const query of ["branch=main", "author=zoe", "text=prices", "from=2026-12-01"]) {
        const some = await rows(`${path}?${query}`, "artifacts");
        expect([query, some.length > 0 && some.length < all.length]).toEqual([query, true]);
      }
      expect((await page(`${path}?env=no-such`)).text).toContain("No artifacts match.");
    });
  });

  describe("the filter of snapshots", () => {
    it("shows those of a period, in either order", async () => {
      const path = "/environments/production/snapshots";
      const all: { index: number; from: number; to: number }[] = await api(
        `/snapshots/${ORG}/production?per_page=100`,
      );
      const [start, end] = [startOf("2026-12-01"), startOf("2026-12-15")];
      const wanted = all
        .filter(({ from, to }) => from < end && (to === 0 || to > start))
        .map(({ index }) => String(index));
      expect(wanted.length).toBeGreaterThan(3);
      const query = "period=custom&from=2026-12-01&to=2026-12-14";
      const { text } = await page(`${path}?${query}`);
      expect(positionOf(text)).toBe(`1–${wanted.length} of ${wanted.length}`);
      expect((await rows(`${path}?${query}`, "snapshots")).map(([index]) => index)).toEqual(wanted);
      expect(text).toMatch(/aria-sort="descending"><a class="sort" href="[^"]*direction=asc">Snapshot/);
      const turned = await rows(`${path}?${query}&direction=asc`, "snapshots");
      expect(turned.map(([index]) => index)).toEqual(wanted.toReversed());
      expect((await page(`${path}?from=2020-01-01&to=2020-01-02`)).text).toContain("No snapshots match.");
      expect((await page("/environments/no-such/snapshots")).status).toBe(404);
    });
  });

  describe("the board of an environment", () => {
    it("shows the artifacts of a namespace, a flow or a result, and the headline all", async () => {
      const headline = (text: string) => /<div class="band[\s\S]*?<\/div>/.exec(text)?.[0];
      const whole = await page("/environments/production");
      expect(positionOf(whole.text)).toBe("1–13 of 13");
      const counts = {
        "namespace=ingress": "1–1 of 1, 13 in all",
        "namespace=shop": "1–12 of 12, 13 in all",
        "flow=ledger": "1–1 of 1, 13 in all",
        "flow=-": "1–1 of 1, 13 in all",
        "result=NON-COMPLIANT": "1–1 of 1, 13 in all",
        "namespace=shop&flow=checkout&result=NON-COMPLIANT": "1–1 of 1, 13 in all",
      };
      for (const [query, count] of Object.entries(counts)) {
        const { text } = await page(`/environments/production?${query}`);
        expect([query, positionOf(text)]).toEqual([query, count]);
        expect(headline(text)).toBe(headline(whole.text));
      }
      // The last artifact of a namespace or a flow may have stopped.
      for (const query of ["namespace=ingress&flow=ledger", "namespace=stopped", "flow=stopped"]) {
        const none = await page(`/environments/production?${query}`);
        expect([query, none.status]).toEqual([query, 200]);
        expect(none.text).toContain("No artifacts match.");
      }
      expect(whole.text).toContain('<option value="-">Unknown origin</option>');
    });
  });

  describe("the filters of other lists", () => {
    it("of environments and flows have type and tag", async () => {
      const json = { set_tags: { tier: "live" } };
      await send(service, {
        method: "PATCH",
        path: `/tags/${ORG}/environment/production`,
        json,
        key: service.keys.admin,
      });
      const names = async (query: string) =>
        (await rows(`/environments?${query}`, "environments")).map(([name]) => name);
      expect(await names("tag=tier%3Dlive")).toEqual(["production"]);
      expect(await names("type=K8S&name=eu")).toEqual(["production-eu"]);
      expect(await names("type=ECS")).toEqual([]);
      const flows = await rows("/flows?tag=team%3DPAY", "flows");
      expect(flows.map(([name]) => name)).toEqual(["ledger", "payments-api", "risk-engine"]);
    });

    it("of accounts are read as a whole: by text and in an order", async () => {
      const names = async (query: string) =>
        (await rows(`/accounts?${query}`, "accounts")).map(([name]) => name);
      expect(await names("text=READ")).toEqual(["reader"]);
      const all = await names("");
      expect(all).toEqual(all.toSorted());
      expect(await names("direction=desc")).toEqual(all.toReversed());
      for (let number = 1; number <= 51; number++) {
        const json = { name: `drone-${number}`, description: "", privilege: "reader" };
        await send(service, {
          method: "POST",
          path: `/service-accounts/${ORG}`,
          json,
          key: service.keys.admin,
        });
      }
      expect(positionOf((await page("/accounts?text=drone")).text)).toBe("1–50 of 51");
      expect(await names("text=drone&page=2")).toHaveLength(51);
      expect((await page("/accounts?text=nobody")).text).toContain("No accounts match.");
    });

    it("of the audit log have an act and a period", async () => {
      const acts = await rows("/audit-log?act=policy.created", "entries");
      expect(acts.map(([, , act]) => act)).toEqual(["policy.created"]);
      expect(await rows("/audit-log?act=policy.created&period=7", "entries")).toEqual([]);
      expect((await page("/audit-log?act=policy.admired")).status).toBe(400);
    });

    it("of deliveries have the events and targets of the rule", async () => {
      await pipeline(service).action({
        name: "hook",
        targets: [{ type: "WEBHOOK", webhook: "https://hooks.example.org/a" }],
        triggers: ["ON_STARTED_TRAIL"],
        flows: ["checkout"],
        type: "flow",
      });
      const [{ number }] = await api(`/actions/${ORG}`);
      const { text } = await page(`/actions/${number}`);
      expect(text).toContain('<option value="1">hooks.example.org/…</option>');
      expect(text).toContain('<option value="ON_STARTED_TRAIL">trail begins</option>');
      expect((await page(`/actions/${number}?state=failed&target=1`)).text).toContain("No deliveries match.");
      expect((await page(`/actions/${number}?state=lost`)).status).toBe(400);
      const former = await page(`/actions/${number}?target=2`);
      expect([former.status, former.text]).toEqual([200, expect.stringContaining("No deliveries match.")]);
      expect(former.text).toContain("<bdi>Target: Former target 2</bdi>");
      expect((await page("/actions?text=hook&state=unused")).text).toContain(">hook<");
      expect((await page("/actions?state=failing")).text).toContain("No rules match.");
    });

    it("of decisions about a control have a result, a flow and a period", async () => {
      const { text } = await page("/controls/SOC2-CC8.1?result=false&flow=checkout&period=7");
      expect(text).toContain("No decisions match.");
      expect((await page("/controls/SOC2-CC8.1?flow=no-such")).status).toBe(200);
    });
  });

  describe("the bars of deployments", () => {
    it("follow the review, and say what they do not follow", async () => {
      const captionOf = async (query: string) =>
        /<figcaption class="key"><span>([^<]*)/.exec((await page(`/deployments?${query}`)).text)?.[1];
      expect(await captionOf("")).toBe("Deployments of acme, last 12 weeks:");
      expect(await captionOf("repo=acme/checkout")).toBe("Deployments of acme/checkout, last 12 weeks:");
      expect(await captionOf("env=production&flow=checkout&result=COMPLIANT")).toBe(
        "Deployments of production, last 12 weeks (all flows, all results):",
      );
      const { text } = await page("/deployments?review=none&period=90");
      expect(text).toMatch(/aria-label="Week of \S+: \d+ without review"/);
      expect(text).not.toMatch(/aria-label="Week of [^"]* reviewed/);
      expect(await captionOf("repo=Checkout"), "by the end of its name").toBe(
        "Deployments of acme/checkout, last 12 weeks:",
      );
      expect(problemsOn(await page("/deployments?repo=heckout"))).toEqual({
        "filter-repo": expect.stringMatching(
          /^No repository has this name\. There are acme\/\S+, .* and \d+ more$/,
        ),
      });
      await pipeline(service).trail("checkout", "elsewhere", {
        repo_info: { name: "twin/ledger", url: "https://git.example/twin/ledger", provider: "github" },
      });
      expect(problemsOn(await page("/deployments?repo=ledger"))).toEqual({
        "filter-repo": "Choose one of acme/ledger, twin/ledger",
      });
      const unknown = await page("/deployments?env=no-such");
      expect([unknown.status, problemsOn(unknown)]).toEqual([
        404,
        { "filter-env": expect.stringContaining("'no-such' does not exist") },
      ]);
    });
  });

  it("a period is of whole days in UTC, and ends with its last", async () => {
    const { text } = await page("/deployments?from=2026-12-01&to=2026-12-01");
    expect(text).toContain("<bdi>Period: 2026-12-01 to 2026-12-01</bdi>");
    const times = (await rows("/deployments?from=2026-12-01&to=2026-12-01", "deployments")).map((line) =>
      line.find((value) => value.endsWith(" UTC")),
    );
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((time) => time?.startsWith("2026-12-01"))).toBe(true);
    expect(service.clock.time).toBeGreaterThan(startOf("2026-12-01") + DAY);
  });

  it("a record at midnight is only in the day that begins, and one just before it in the day that ends", async () => {
    const now = service.clock.time;
    const midnight = startOf("2026-12-03");
    const control = "MIDNIGHT";
    await pipeline(service).control({ identifier: control, name: "Decided at midnight", description: "" });
    await pipeline(service).environment("edge");
    const [trail] = await trailsOf("checkout");
    for (const [index, time] of [midnight - 2 * DAY, midnight - 0.5, midnight].entries()) {
      service.clock.time = time;
      const digests = { [`edge:${index}`]: String(index).repeat(64) };
      const pods = [{ podName: "edge", namespace: "edge", creationTimestamp: now, digests, owners: [] }];
      await pipeline(service).report("edge", pods);
      await send(service, {
        method: "POST",
        path: `/attestations/${ORG}/checkout/trail/${trail?.name}/system`,
        form: {
          attestation_name: `decision-${index}`,
          type_name: "decision",
          control,
          attestation_data: { is_compliant: true },
        },
        key: service.keys.admin,
      });
    }
    service.clock.time = now;
    const counts = async (day: string) => {
      const days = `from=${day}&to=${day}`;
      return {
        deployments: (await rows(`/deployments?env=edge&${days}`, "deployments")).length,
        decisions: (await rows(`/controls/${control}?${days}`, "decisions")).length,
        snapshots: (await rows(`/environments/edge/snapshots?${days}`, "snapshots")).map(([index]) => index),
      };
    };
    expect(await counts("2026-12-02")).toEqual({ deployments: 1, decisions: 1, snapshots: ["2", "1"] });
    expect(await counts("2026-12-03")).toEqual({ deployments: 1, decisions: 1, snapshots: ["3"] });
  });

  it("a period has a chip with its days, and is the usual one without days", async () => {
    const chip = (text: string) => /<bdi>Period: ([^<]*)/.exec(text)?.[1];
    const until = (await page("/deployments?to=2026-12-28")).text;
    expect(chip(until)).toBe("28 days until 2026-12-28");
    expect(chip((await page("/flows/checkout?to=2026-12-28")).text)).toBe("until 2026-12-28");
    const usual = (await page("/reports?period=custom")).text;
    expect(chip(usual)).toBeUndefined();
    expect(usual).toContain('<option value="quarter" selected>');
    expect(usual).toContain("2026-10-01 00:00:00 UTC to 2027-01-01 00:00:00 UTC");
    const trails = (await page("/flows/checkout?period=custom&from=&to=")).text;
    expect(chip(trails)).toBeUndefined();
    const listed = /This page as JSON.*?\/trails\/acme\/checkout\?/s;
    expect(listed.test(trails), "the list rather than the search").toBe(true);
  });
}
