// Talking to the server: requests in JSON, and a connection to a table that comes back by itself.

import { language, phrase, refusal } from "./phrases.js";

export const VERSION = 1;

/** The levels of bots. */
export const LEVELS = ["easy", "medium", "hard"];

/** What a table offers, unless somebody wants it otherwise. */
export const OPTIONS = { hints: true, effects: true, memory: true };

/** Why a server may refuse a connection that is worth another try. */
const PASSING = ["too-fast", "held-elsewhere", "lost-table", "not-saved", "busy", "went-wrong", "takes-too-long"];

/** Milliseconds after which a request has failed, also where a busy server would still answer. */
const LONGEST = 60_000;

/** Requests that a page can do without, and what is asked one after another: a lost answer must not hold up the next one. */
const QUESTIONS = ["hint", "worth", "tip", "lost"];

/** Ask an address. Throws an Error with `code` and a sentence. */
export async function ask(path, data) {
  const headers = { "accept-language": language() };
  const answer = await fetch(path, { signal: AbortSignal.timeout(LONGEST), ...(data === undefined ? { headers } : {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ v: VERSION, ...data }),
  }) }).catch(() => { throw new Error(phrase("silent")); });
  // What is not JSON is not from the server: a proxy before it says that it does not answer.
  const body = await answer.json().catch(() => { throw new Error(phrase("silent")); });
  if (!answer.ok) throw Object.assign(new Error(refusal(body)), { code: body.error, findings: body.findings, errors: body.errors });
  return body;
}

/** A connection to a table, for a seat or a spectator; `beside` are the tokens of the others at this screen. What was asked and not answered is asked again. */
export class Line {
  constructor(table, token, heard, beside = []) {
    this.table = table;
    this.token = token;
    this.beside = beside;
    this.heard = heard;
    this.told = 0;
    this.number = -1;
    this.open = new Map();
    this.wait = 250;
    this.ended = false;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/play`);
    this.socket.addEventListener("open", () => {
      this.send({ type: "hello", token: this.token ?? "", beside: this.beside, language: language(), told: this.told, number: this.number });
      for (const { message } of this.open.values()) this.send(message);
    });
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      if (this.ended) return;
      this.heard({ type: "away" });
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, 5000);
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ v: VERSION, ...message }));
  }

  receive(message) {
    if (message.type === "table") {
      this.wait = 250;
      this.told = message.told;
      this.number = message.decision[0];
    }
    if (message.type === "refused" && message.key === null) {
      if (PASSING.includes(message.code)) return;
      this.close();
    }
    const asked = this.open.get(message.key);
    if (asked) {
      this.open.delete(message.key);
      if (message.type === "refused") asked.refuse(Object.assign(new Error(refusal(message)), { code: message.code }));
      else asked.answer(message);
      return;
    }
    this.heard(message);
  }

  /** Ask for something; the same key is sent again after a break, so that it happens once. */
  ask(type, data = {}) {
    const key = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return new Promise((answer, refuse) => {
      const message = { type, key, ...data };
      this.open.set(key, { message, answer, refuse });
      this.send(message);
      if (QUESTIONS.includes(type)) setTimeout(() => this.open.delete(key) && refuse(new Error(phrase("silent"))), LONGEST);
    });
  }

  close() {
    this.ended = true;
    this.socket.close();
  }
}
