"use strict";
(() => {
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  root.classList.add("has-js");

  const remember = (value) => { try { localStorage.setItem("tierwise-theme", value); } catch { /* a file may have no storage */ } };
  const recall = () => { try { return localStorage.getItem("tierwise-theme"); } catch { return null; } };
  const button = document.querySelector("[data-theme-button]");
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const showTheme = () => {
    if (!button) return;
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", String(isDark()));
  };
  const known = recall();
  if (known === "dark" || known === "light") root.dataset.theme = known;
  showTheme();
  button?.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
    showTheme();
  });

  const say = (n) => n.toLocaleString("en");
  const time = (ms) => {
    if (ms >= 59995) {
      const seconds = Math.round(ms / 1000);
      return `${say(Math.floor(seconds / 60))} min ${String(seconds % 60).padStart(2, "0")} s`;
    }
    return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms} ms`;
  };
  const make = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const TONES = { passed: "good", failed: "bad", error: "bad", not_run: "none" };
  const PAGE = 25;

  const showTests = () => {
    const data = JSON.parse(find("tests-data").textContent);
    const order = ["failed", "error", "unobservable", "not_run", "passed"];
    const all = data.files.flatMap(([file, tier, rows]) =>
      rows.map(([name, outcome, ms, message = ""]) => ({
        file, tier, name, ms, message, outcome: data.outcomes[outcome],
        text: `${file}::${name} ${message}`.toLowerCase(),
      })));
    all.sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome)
      || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const row = (test) => {
      const line = make("tr");
      const head = make("th");
      head.scope = "row";
      head.append(make("span", "name", test.name));
      if (test.file) head.append(" ", make("span", "file", test.file));
      if (test.message) head.append(make("span", "question", test.message));
      const cell = (label, className, content) => {
        const made = make("td", className);
        made.dataset.label = label;
        made.append(content);
        return made;
      };
      line.append(head, cell("Tier", "", test.tier),
        cell("Outcome", "", make("span", `tag ${TONES[test.outcome] || "doubt"}`, test.outcome.replace("_", " "))),
        cell("Time", "n", time(test.ms)));
      return line;
    };
    const search = find("tests-search"), outcome = find("tests-outcome"), tier = find("tests-tier");
    const more = find("tests-more"), body = find("tests-rows"), count = find("tests-count");
    let found = [], shown = 0;
    const grow = () => {
      body.append(...found.slice(shown, shown + PAGE).map(row));
      shown = Math.min(found.length, shown + PAGE);
      more.hidden = shown >= found.length;
      count.textContent = `${say(shown)} of ${say(found.length)} tests`;
    };
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      found = all.filter((test) => (!outcome.value || test.outcome === outcome.value)
        && (!tier.value || test.tier === tier.value) && words.every((word) => test.text.includes(word)));
      body.replaceChildren();
      shown = 0;
      grow();
    };
    for (const input of [search, outcome, tier]) input.addEventListener("input", filter);
    more.addEventListener("click", grow);
    filter();
  };

  const showTrials = () => {
    const search = find("trials-search"), against = find("trials-against"), count = find("trials-count");
    const groups = [...document.querySelectorAll("[data-trials]")].map((group) => ({
      group, trials: [...group.querySelectorAll("[data-trial]")].map((trial) => ({ trial, text: trial.textContent.toLowerCase() })),
    }));
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let n = 0, total = 0;
      for (const { group, trials } of groups) {
        let kept = 0;
        for (const { trial, text } of trials) {
          const fits = (!against.checked || trial.dataset.against === "1") && words.every((word) => text.includes(word));
          trial.hidden = !fits;
          kept += fits;
        }
        group.hidden = kept === 0 && (words.length > 0 || against.checked);
        n += kept;
        total += trials.length;
      }
      count.textContent = `${say(n)} of ${say(total)} trials in this page`;
    };
    for (const input of [search, against]) input.addEventListener("input", filter);
    filter();
  };

  if (find("tests-search")) showTests();
  if (find("trials-search")) showTrials();
  const openTarget = () => {
    let name = "";
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { /* no address of ours */ }
    const target = name && find(name);
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", openTarget);
  openTarget();
})();
