// A game on the site's board, in which the visitor's own class is called with each move: one by
// hand, by a level of the site, or by the function `choose` of the file.
import { onePart } from "../shared/one-part.js";
import { drawBoard } from "./boards.js";
import { fill, sentenceOf } from "./report.js";
import { prepare, takePlayer } from "./session.js";

const exercise = JSON.parse(document.getElementById("exercise").textContent);
const GAMES = 20;
const POLL = 250;
const LATER = 2000;
const TOO_MANY = "429";
const at = (id) => document.getElementById(id);
const newMatch = at("new-match");

// The interpreter with the visitor's class, and the lines with which it was called on this board.
let pupil;
let isWorking = false;
let isHalted = false;
let endCall = () => {};
// The games still to be played, one after the other.
let games = 0;

const tellMatch = (sentence) => {
  at("match-status").textContent = sentence;
};

const drop = () => {
  pupil?.player.terminate();
  pupil = undefined;
};

const openClass = async () => {
  const source = at("code").value.replaceAll("\r\n", "\n");
  if (pupil?.source === source) return;
  drop();
  const bar = at("loading");
  const found = await prepare(exercise, (bytes) => {
    bar.hidden = false;
    bar.value = bytes;
  });
  bar.hidden = true;
  takePlayer();
  const { name, board } = found.record;
  found.player.postMessage({ begin: JSON.stringify({ source, name, board }) });
  pupil = { source, ...found, lines: [], answers: [] };
};

// Calls the class with lines, or runs the program with them. Returns the answers, and how it ended if
// it did not answer all.
const callLines = (lines) =>
  new Promise((done) => {
    const { player, record } = pupil;
    const wanted = record.board ? lines.length : 1;
    const answers = [];
    const finish = (end) => {
      clearTimeout(timer);
      endCall = () => {};
      if (end) drop();
      done({ answers, end });
    };
    endCall = finish;
    const { seconds } = exercise;
    const timer = setTimeout(() => finish({ code: "endless", seconds }), seconds * 1000);
    player.onmessage = ({ data }) => {
      if ("crashed" in data) finish({ code: "crashed", error: data.crashed });
      else if (data.problem) finish(data.problem);
      else if (answers.push(data.answer) === wanted) finish();
    };
    player.onerror = ({ message }) => finish({ code: "crashed", error: message || "" });
    player.postMessage({ task: JSON.stringify({ lines }) });
  });

// Returns the first difference of a run; undefined without one. `reply` answers the lines that the
// judge wants to be played.
const judgeRun = ({ judge, record }, run, reply) =>
  new Promise((done) => {
    judge.onmessage = async ({ data }) => {
      if ("crashed" in data) done({ code: "crashed", error: data.crashed });
      else if ("done" in data) done(data.done);
      else judge.postMessage({ task: JSON.stringify(await reply(data.play)) });
    };
    const begun = JSON.stringify({ record: { ...record, runs: [run] } });
    judge.postMessage({ begin: begun, task: "{}" });
  });

const written = (line, answer) => {
  const said = answer?.error ?? (answer?.itself || answer?.got === "None" ? "" : answer?.got);
  return `>>> ${line}${said ? `\n${said}` : ""}`;
};

const showOwn = (shown, calls) => {
  at("match-own").hidden = false;
  at("match-str").textContent = shown ?? "";
  at("match-lines").textContent = calls.join("\n");
};

const showMatchDifference = (report) => {
  at("match-report").hidden = !report;
  if (!report) return;
  const prompt = pupil?.record.board === "" ? "" : ">>> ";
  at("match-problem").textContent = sentenceOf(report, exercise);
  at("match-call").textContent = report.lines?.length ? prompt + report.lines.at(-1) : "";
  at("match-line").textContent = report.line ? fill(exercise.words.line, report) : "";
};

// Calls the class with the lines that it does not know yet, and shows how it answers. Returns
// whether it can go on.
const callClass = async (run, lines) => {
  const asked = pupil;
  const goesOn = asked.lines.every((line, index) => line === lines[index]);
  const from = goesOn && asked.lines.length < lines.length ? asked.lines.length : 0;
  const { answers, end } = await callLines(lines.slice(from));
  asked.answers = [...asked.answers.slice(0, from), ...answers];
  asked.lines = lines;
  const calls = lines.slice(from).map((line, index) => written(line, answers[index]));
  showOwn(asked.answers.at(-1)?.board, calls);
  // Of code that was stopped the judge says so unless it finds a difference.
  const isRight = { code: "stopped" };
  const reply = () => ({ answers: asked.answers, end: end ?? isRight });
  const report = await judgeRun(asked, run, reply);
  showMatchDifference(report.code === isRight.code ? undefined : report);
  return !end;
};

let printed = [];

// Shows a board that the program has printed, one of all since the first.
const showPrinted = (number) => {
  at("printed-boards").value = number;
  at("match-str").textContent = printed[number] ?? "";
  const texts = printed.slice(0, number + 1).map((text) => text.slice(0, text.lastIndexOf("\n")));
  at("printed-board").replaceChildren(drawBoard(texts) ?? "");
};

const runProgram = async (run) => {
  let all;
  let ended;
  pupil.lines = run.lines;
  const report = await judgeRun(pupil, run, async (lines) => {
    const { answers, end } = await callLines(lines);
    all ??= answers[0];
    ended = end;
    return { answers, end };
  });
  printed = (all?.text ?? "").trimEnd().split("\n\n");
  showOwn("", run.lines);
  at("printed-boards").max = printed.length - 1;
  showPrinted(printed.length - 1);
  showMatchDifference(report);
  return !ended;
};

// Calls the class, or runs the program, unless it knows these lines already.
const callPupil = async (run) => {
  const lines = run.lines ?? run.steps.map(([line]) => line);
  if (!lines.length) return true;
  await openClass();
  if (lines.join() === pupil.lines.join()) return true;
  return run.steps ? callClass(run, lines) : runProgram(run);
};

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Returns the fields of the next move of a level or of the class; undefined if there is none.
const nextMove = async ({ asks, player }) => {
  if (player !== "choose") {
    const body = new FormData(at("steps"));
    while (!isHalted) {
      const answer = await fetch(exercise.move, { method: "POST", body });
      const { move } = answer.status === 200 ? await answer.json() : {};
      if (move) return { move };
      if (![202, 429].includes(answer.status)) throw new Error(answer.statusText);
      await pause(answer.status === 202 ? POLL : LATER);
    }
    return;
  }
  const { answers, end } = await callLines([asks]);
  const [answer] = answers;
  if (answer && !answer.error) return { call: answer.value, got: answer.got };
  const isLacking = answer?.error === "NameError: name 'choose' is not defined";
  const error = answer?.error ?? sentenceOf(end, exercise);
  tellMatch(isLacking ? exercise.words.lacks : fill(exercise.words.fails, { error }));
  at("match-line").textContent = answer?.line ? fill(exercise.words.line, answer) : "";
};

// Counts a game for its winner: the function, a level, or nobody.
const count = (winner) => {
  const cell = at(`won-${winner}`);
  cell.textContent = Number(cell.textContent) + 1;
};

const begin = (turn) => {
  const fields = new FormData(newMatch);
  const seats = [...fields.keys()].filter((name) => name.startsWith("seat-"));
  // Each side begins half of the games.
  const players = seats.map((name) => fields.get(name));
  if (turn % 2) for (const name of seats) fields.set(name, players.pop());
  return showMatch(fields);
};

const endGame = async (winner) => {
  if (!games) return;
  count(winner);
  games -= 1;
  if (games) await begin(games);
};

const follow = async () => {
  const played = JSON.parse(at("played").textContent);
  if (played.refused) {
    tellMatch(fill(exercise.words.illegal, { got: played.refused }));
    return endGame("nobody");
  }
  const answers = await callPupil(played.run);
  if (played.over) {
    const isOwn = played.won.includes("choose");
    return endGame(isOwn ? "choose" : played.won.length ? "level" : "nobody");
  }
  if (!played.player || isHalted) return;
  const move = answers && (await nextMove(played));
  if (!move) return endGame("nobody");
  const fields = new FormData(at("steps"));
  for (const [name, value] of Object.entries(move)) fields.set(name, value);
  return showMatch(fields);
};

const showMatch = async (body) => {
  for (;;) {
    try {
      await replaceMatch(exercise.board, { method: "POST", body });
      return follow();
    } catch (error) {
      if (error.message !== TOO_MANY || isHalted) throw error;
      await pause(LATER);
    }
  }
};

const work = async (task) => {
  if (isWorking || !at("stop").hidden) return;
  isWorking = true;
  isHalted = false;
  at("playing").ariaBusy = true;
  const timer = setTimeout(() => {
    at("halt").hidden = false;
  }, POLL);
  tellMatch("");
  try {
    await task();
  } catch {
    tellMatch(exercise.words.failed);
  }
  clearTimeout(timer);
  at("halt").hidden = true;
  at("playing").ariaBusy = false;
  isWorking = false;
};

const replaceMatch = onePart("match", (_address, { body }) => work(() => showMatch(body)));

newMatch?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (isWorking) return;
  if (!at("code").value.trim()) return tellMatch(exercise.sentences.empty);
  const isSeries = event.submitter?.value === "series";
  at("series").hidden = !isSeries;
  for (const cell of document.querySelectorAll("[id^=won-]")) cell.textContent = 0;
  work(() => {
    games = isSeries ? GAMES : 0;
    return begin(games);
  });
});

at("printed-boards")?.addEventListener("input", ({ target }) => showPrinted(Number(target.value)));

at("halt")?.addEventListener("click", () => {
  isHalted = true;
  games = 0;
  endCall({ code: "stopped" });
});

// The judge has one comparison at a time.
for (const kind of ["submit", "drop", "change"])
  document.addEventListener(
    kind,
    (event) => {
      if (!isWorking || !event.target.closest?.("#code-form")) return;
      at("halt").click();
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

// Twenty games are for players that need no hand.
const offerSeries = () => {
  const seats = [...newMatch.querySelectorAll("[name^=seat-]")];
  at("play-series").hidden = seats.some(({ value }) => !value);
};
// The page of a class of pupils has no board.
if (newMatch) {
  newMatch.addEventListener("change", offerSeries);
  offerSeries();
  at("playing").hidden = false;
}
