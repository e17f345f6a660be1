"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const say = (n) => n.toLocaleString("en");
  const make = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  // What a model or a test's name holds is shown, never obeyed.
  const clean = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u${char.codePointAt(0).toString(16).padStart(4, "0")}`);
  const time = (s) => (s >= 60 ? `${say(Math.floor(s / 60))} min ${String(s % 60).padStart(2, "0")} s` : `${s} s`);
  const TITLES = {
    waiting: "Waiting for a run of evals", running: "Evals are running", finished: "The run has ended",
    quiet: "The run has been quiet", unreadable: "The run store cannot be read", stopped: "The view was stopped",
  };
  const LEADS = {
    running: (state) => {
      const { evals, to_go_s: left } = state;
      if (left !== null) return `About ${time(left)} to go, at the pace so far.`;
      return sum(evals, (one) => one.n_left) ? "The first trial is on its way." : "All trials have ended; verdicts follow.";
    },
    quiet: (state) => `Nothing has landed for ${time(state.quiet_s)}: it waits for its provider, or it was stopped.`,
    finished: () => "For the whole story: tierwise report",
    unreadable: (state) => clean(state.problem),
    stopped: () => "A run that goes on is not touched by that. To look again: tierwise report --serve",
  };
  const waiting = [...find("lead").childNodes];
  let said = "", drawn = "";
  const tell = (state) => {
    find("title").textContent = TITLES[state.state];
    find("lead").replaceChildren(...(LEADS[state.state] ? [LEADS[state.state](state)] : waiting));
    if (said && said !== state.state) find("said").textContent = TITLES[state.state];
    said = state.state;
  };
  const TONES = { proven: "good", refuted: "bad", undecided: "doubt" };
  const sum = (evals, pick) => evals.reduce((total, one) => total + pick(one), 0);
  const unscored = (one) => one.outcomes.error + one.outcomes.unobservable + one.outcomes.not_run;

  const bar = (share, label) => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const set = (node, values) => Object.entries(values).forEach(([name, value]) => node.setAttribute(name, value));
    set(svg, { class: "progress", viewBox: "0 0 100 2", preserveAspectRatio: "none", role: "img", "aria-label": label });
    for (const width of [100, 100 * Math.min(1, share)]) {
      const rect = document.createElementNS(space, "rect");
      set(rect, { width, height: 2 });
      svg.append(rect);
    }
    return svg;
  };
  const line = (one) => {
    const card = make("article", "eval");
    const [file, ...names] = clean(one.eval_id).split("::");
    const head = make("h3");
    head.append(make("span", "name", names.join("::") || file), make("span", "file", file), make("span", "muted", clean(one.provider)));
    const counts = Object.entries(one.outcomes).filter(([, n]) => n)
      .map(([name, n]) => `${say(n)} ${name.replace("_", " ")}`).join(", ");
    const control = one.n_control ? `; ${say(one.n_control)} of the control` : "";
    const cost = one.cost_usd ? `, ${one.cost_usd.toFixed(4)} USD` : "";
    const progress = `${say(one.n_landed)} of ${say(one.n_planned)} trials`;
    card.append(head, bar(one.n_planned ? one.n_landed / one.n_planned : 0, progress),
      make("p", "muted", `${progress}${counts ? `: ${counts}` : ""}${control}. ${say(one.calls)} calls, ${say(one.tokens)} tokens${cost}`));
    for (const [expectation, verdict] of Object.entries(one.verdicts)) {
      const said = make("p", "sides");
      said.append(make("span", `tag ${TONES[verdict] || "doubt"}`, verdict), ` ${clean(expectation)}`);
      card.append(said);
    }
    return card;
  };
  const show = (state) => {
    tell(state);
    const { evals } = state;
    const planned = sum(evals, (one) => one.n_planned), landed = sum(evals, (one) => one.n_landed);
    find("figures").hidden = evals.length === 0;
    find("n-landed").textContent = say(landed);
    find("n-planned").textContent = `of ${say(planned)}`;
    find("n-passed").textContent = say(sum(evals, (one) => one.outcomes.passed));
    find("n-unscored").textContent = say(sum(evals, unscored));
    const spent = sum(evals, (one) => one.cost_usd), dark = sum(evals, (one) => one.unpriced);
    find("spent").textContent = spent ? spent.toFixed(4) : "0";
    find("calls").textContent = dark ? `USD; ${say(dark)} calls without a price` : `USD in ${say(sum(evals, (one) => one.calls))} calls`;
    find("meta").textContent = state.run ? `Run ${state.run}, ${state.state === "finished" ? "took" : "began"} ${time(state.running_s)}${state.state === "finished" ? "" : " ago"}` : "";
    if (drawn !== JSON.stringify(evals)) {  // what is selected stays so while nothing lands
      find("evals").replaceChildren(...evals.map(line));
      drawn = JSON.stringify(evals);
    }
  };
  const poll = async () => {
    try {
      const answer = await fetch("/state.json", { cache: "no-store" });
      show(await answer.json());
    } catch {
      tell({ state: "stopped" });
      find("meta").textContent = "";
    }
    setTimeout(poll, 1000);
  };
  poll();
})();
