"use strict";
(() => {
  const all = (query, within = document) => [...within.querySelectorAll(query)];

  // details that are open without a script are folded; before printing all are opened
  const folded = all("details[data-fold]");
  for (const one of folded) one.open = false;
  addEventListener("beforeprint", () => { for (const one of folded) one.open = true; });

  // sorting
  const keyOf = (cell) => {
    const text = cell.dataset.v ?? cell.textContent.trim();
    const value = text === "" ? NaN : Number(text.replace(/,/g, ""));
    return Number.isNaN(value) ? text.toLowerCase() : value;
  };
  const compare = (a, b) => {
    const gone = (key) => key === "" || key === "-";
    if (gone(a) || gone(b)) return gone(a) - gone(b);
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  };
  const shown = new WeakMap();
  for (const table of all("table.sortable")) {
    const body = table.tBodies[0];
    const heads = all("th", table.tHead);
    const first = [...body.rows];
    heads.forEach((head, column) => {
      if (head.hasAttribute("data-still")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        for (const other of heads) other.removeAttribute("aria-sort");
        let rows = first;
        if (was !== "descending") {
          const sign = was === "ascending" ? -1 : 1;
          head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
          const gone = (key) => key === "" || key === "-";
          rows = first
            .map((row, place) => [keyOf(row.cells[column]), place, row])
            .sort((a, b) => (gone(a[0]) || gone(b[0]) ? compare(a[0], b[0]) : sign * compare(a[0], b[0])) || a[1] - b[1])
            .map((entry) => entry[2]);
        }
        body.append(...rows);
        shown.get(table)?.();
      });
    });
  }

  // filtering, and the first rows of a long table
  for (const tools of all(".tools")) {
    const table = document.getElementById(tools.dataset.for);
    const [text, choice, count] = ["input", "select", "output"].map((tag) => tools.querySelector(tag));
    const many = Number(table.dataset.first);
    let everything = false;
    const more = document.createElement("button");
    more.type = "button";
    more.className = "more";
    table.after(more);
    const words = new Map([...table.tBodies[0].rows].map((row) => [
      row, [row.cells[0].textContent + " " + row.cells[1].textContent, row.cells[1].textContent],
    ]));
    const update = () => {
      const wanted = text.value.trim().toLowerCase();
      let found = 0;
      for (const row of table.tBodies[0].rows) {
        const [any, fate] = words.get(row);
        const match = (!wanted || any.toLowerCase().includes(wanted)) && fate.startsWith(choice.value);
        if (match) found += 1;
        row.hidden = !match || (!everything && found > many);
      }
      count.textContent = `${found.toLocaleString("en")} of ${words.size.toLocaleString("en")} columns`;
      more.hidden = everything || found <= many;
      more.textContent = `Show all ${found.toLocaleString("en")}`;
    };
    shown.set(table, update);
    text.addEventListener("input", update);
    choice.addEventListener("input", update);
    more.addEventListener("click", () => { everything = true; update(); });
    tools.hidden = false;
    update();
  }

  // the figure: a row that is pointed at, or chosen by the arrow keys, is said in figures
  for (const figure of all("figure.path")) {
    const table = document.getElementById(figure.dataset.steps);
    const out = figure.querySelector(".readout");
    const rows = [...table.tBodies[0].rows].sort((a, b) => a.dataset.step - b.dataset.step);
    const titles = all("thead th", table).map((head) => head.textContent);
    let now = -1;
    const choose = (step) => {
      for (const one of all(".on", figure)) one.classList.remove("on");
      for (const one of rows) one.classList.toggle("on", one.dataset.step === step);
      for (const one of all(".row", figure)) one.classList.toggle("on", one.dataset.step === step);
      now = rows.findIndex((row) => row.dataset.step === step);
      const row = rows[now];
      if (row) {
        out.textContent = [...row.cells].map((cell, k) =>
          k === 0 ? `Step ${cell.textContent}` : k === 1 ? cell.textContent : `${titles[k]} ${cell.textContent}`).join(" · ");
      }
    };
    out.hidden = false;
    out.textContent = "Point at a row, or use the arrow keys here.";
    const area = figure.querySelector(".panels");
    area.tabIndex = 0;
    area.setAttribute("role", "group");
    area.setAttribute("aria-label", "Figure of the path; arrow keys go from step to step");
    area.addEventListener("pointerover", (event) => {
      const row = event.target.closest(".row");
      if (row) choose(row.dataset.step);
    });
    area.addEventListener("keydown", (event) => {
      const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(rows[Math.min(Math.max(to, 0), rows.length - 1)].dataset.step);
    });
  }

  // a compressed result is handed out as it was
  for (const link of all("a[data-packed]")) {
    if (typeof DecompressionStream === "undefined") break;
    link.addEventListener("click", async (event) => {
      if (!event.isTrusted || link.href.startsWith("blob:")) return;
      event.preventDefault();
      const bytes = Uint8Array.from(atob(link.href.split(",", 2)[1]), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const plain = await new Response(stream).blob();
      link.href = URL.createObjectURL(new Blob([plain], { type: "application/json" }));
      link.download = link.download.replace(/\.gz$/, "");
      link.click();
    });
  }
})();
