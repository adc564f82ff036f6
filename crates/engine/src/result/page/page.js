"use strict";
// Moves through the programs of a reduction, and copies. What is shown is made of text nodes alone, so that
// nothing in a program is ever read as HTML.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const times = JSON.parse(byId("times").textContent);
  const slider = byId("step");
  const whole = byId("whole");
  // Of what stays, so many lines are shown beside a change.
  const CONTEXT = 3;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  // What a part is in the program with this number, as the name of an element; nothing if it is not in it.
  const role = ([came, went], number) => {
    if (went !== 0 && went === number) return "del";
    if (came > number || (went !== 0 && went < number)) return null;
    return came === number && number > data.first ? "ins" : "span";
  };

  // The pieces of a file, where neighbours with the same role are one.
  const piecesOf = (file, number) => {
    const pieces = [];
    for (const part of file.parts) {
      const name = role(part, number);
      if (name === null) continue;
      const last = pieces[pieces.length - 1];
      const leftOut = part.length > 3 ? { lines: part[3], bytes: part[4] } : null;
      if (last && last.name === name && !last.leftOut) {
        last.text += part[2];
        last.leftOut = leftOut;
      } else {
        pieces.push({ name, text: part[2], leftOut });
      }
    }
    return pieces.flatMap(withoutLayout);
  };

  // Another layout is no change. Where items were, many empty lines are left in a program, which tell nothing.
  const withoutLayout = (piece) => {
    const isBlank = piece.text.trim() === "" && !piece.leftOut;
    if (isBlank && piece.name === "del") return [];
    const name = isBlank ? "span" : piece.name;
    return [{ ...piece, name, text: piece.text.replace(/\n([ \t]*\n){2,}/g, "\n\n") }];
  };

  const isChange = (piece) => piece.name !== "span";

  const note = (words) => element("span", `⋯ ${words} ⋯`, "left-out");

  // The middle of a long text that stays is left out.
  const folded = (piece, isFirst, isLast) => {
    const lines = piece.text.split("\n");
    const before = isFirst ? 0 : CONTEXT;
    const after = isLast ? 0 : CONTEXT + 1;
    const count = lines.length - before - after;
    if (whole.checked || count < 3) return [element("span", piece.text)];
    const head = lines.slice(0, before).join("\n") + (before > 0 ? "\n" : "");
    const tail = after > 0 ? "\n" + lines.slice(lines.length - after).join("\n") : "";
    return [element("span", head), note(`${counted(count, "line")} as before`), element("span", tail)];
  };

  const codeOf = (pieces) => {
    const code = document.createElement("code");
    const isChanged = pieces.some(isChange);
    pieces.forEach((piece, at) => {
      if (!isChange(piece) && isChanged) {
        code.append(...folded(piece, at === 0, at === pieces.length - 1));
      } else {
        code.append(element(piece.name, piece.text));
      }
      if (piece.leftOut) {
        const { lines, bytes } = piece.leftOut;
        code.append(note(lines > 1 ? `${counted(lines, "more line")}` : `${counted(bytes, "more byte")}`), "\n");
      }
    });
    return code;
  };

  const showProgram = (number) => {
    const files = data.files.map((file) => ({ path: file.path, pieces: piecesOf(file, number) }));
    const there = files.filter((file) => file.pieces.length > 0);
    const changed = there.filter((file) => file.pieces.some(isChange));
    const shown = whole.checked || changed.length === 0 ? there : changed;
    const program = byId("program");
    program.replaceChildren();
    if (changed.length === 0 && number > data.first) {
      program.append(element("p", "No token changes in this step: it is about flags, linked crates or layout."));
    }
    for (const file of shown) {
      if (there.length > 1) program.append(element("h3", file.path));
      const block = document.createElement("pre");
      block.tabIndex = 0;
      block.setAttribute("role", "region");
      block.setAttribute("aria-label", `The program, ${file.path}`);
      block.append(codeOf(file.pieces));
      program.append(block);
      const change = block.querySelector("del, ins");
      if (change) block.scrollTop = Math.max(0, change.offsetTop - block.offsetTop - 48);
    }
    const rest = there.length - shown.length;
    if (rest > 0) program.append(element("p", `${counted(rest, "file")} as before.`));
  };

  const tellStep = (number) => {
    const [what, tokens, queries] = data.states[number];
    const last = data.states.length - 1;
    let words = `${number} of ${last}: ${what}, ${counted(tokens, "token")}`;
    if (number > 0) {
      const change = tokens - data.states[number - 1][1];
      const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
      words += ` (${sign}${Math.abs(change)}), after ${queries === 1 ? "1 query" : `${queries} queries`}`;
    }
    byId("told").textContent = words;
    slider.setAttribute("aria-valuetext", words);
  };

  // Where a value stands in a drawing, as the drawing was made.
  const mark = (id, value, tokens) => {
    const drawing = byId(id);
    const { most, low, high, left, right, top, bottom } = drawing.dataset;
    const size = (number) => Math.log(Math.max(1, number));
    const part = (size(tokens) - size(low)) / (size(high) - size(low));
    const here = drawing.querySelector(".here");
    here.setAttribute("cx", +left + (value / most) * (right - left));
    here.setAttribute("cy", bottom - part * (bottom - top));
    here.removeAttribute("hidden");
  };

  const show = () => {
    const number = Number(slider.value);
    const [, tokens, queries] = data.states[number];
    tellStep(number);
    showProgram(number);
    mark("over-queries", queries, tokens);
    mark("over-time", times[number], tokens);
    for (const button of document.querySelectorAll("[data-move]")) {
      const next = number + Number(button.dataset.move);
      button.disabled = next < Number(slider.min) || next > Number(slider.max);
    }
  };

  // Where the browser has no clipboard for pages in files, what is selected is copied.
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = element("textarea", text);
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  const copy = async (button) => {
    const { copy: id } = button.dataset;
    const source = id ? byId(id) : button.parentElement.querySelector("code");
    const words = button.textContent;
    const done = await copyText(source.textContent);
    button.textContent = done ? "Copied" : "Select it and copy";
    button.disabled = true;
    setTimeout(() => {
      button.textContent = words;
      button.disabled = false;
    }, 1500);
  };

  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  for (const button of document.querySelectorAll("[data-move]")) {
    button.addEventListener("click", () => {
      slider.value = Number(slider.value) + Number(button.dataset.move);
      show();
    });
  }
  slider.addEventListener("input", show);
  whole.addEventListener("change", show);
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("#report details")) folded.open = true;
  });
  document.querySelector(".stepping").hidden = false;
  show();
})();
