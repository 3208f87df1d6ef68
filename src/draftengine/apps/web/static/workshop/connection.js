// Connections to the server that come back by themselves, and the requests of a language server over one.

import { language } from "../phrases.js";

const LONGEST_WAIT = 5000;

/** A connection of the page. `opened` is called whenever it is there again, and `gone` when it is not. */
export class Connection {
  #wait = 250;

  constructor(path, { opened, heard, gone }) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.address = `${scheme}://${location.host}${path}?language=${encodeURIComponent(language())}`;
    Object.assign(this, { opened, heard, gone });
    this.#connect();
  }

  #connect() {
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("open", () => {
      this.#wait = 250;
      this.opened();
    });
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.gone();
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

/** The language server, asked about one text. What a lost connection leaves unanswered is answered with nothing. */
export class LanguageServer {
  #next = 1;
  #asked = new Map();
  #version = 0;
  #text = "";

  /** `found` is called with what was found in the latest text, and whether these are only the first errors; `refused` with why nothing can be found in it. */
  constructor(path, uri, { found, refused, state }) {
    Object.assign(this, { uri, found, refused });
    this.connection = new Connection(path, {
      opened: () => {
        this.request("initialize", { processId: null, rootUri: null, capabilities: {} });
        this.notify("initialized", {});
        this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: ++this.#version, text: this.#text } });
        state(true);
      },
      heard: (message) => this.#take(message),
      gone: () => {
        for (const answer of this.#asked.values()) answer({ result: null });
        this.#asked.clear();
        state(false);
      },
    });
  }

  /** Send the text as it is now. */
  change(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.notify("textDocument/didChange", { textDocument: { uri: this.uri, version: ++this.#version }, contentChanges: [{ text }] });
  }

  notify(method, params) {
    this.connection.send({ v: 1, jsonrpc: "2.0", method, params });
  }

  /** Ask something about the text; a refusal is an error with its sentence. */
  async request(method, params = {}) {
    const id = this.#next++;
    if (this.connection.socket.readyState !== WebSocket.OPEN) return null;
    const answered = new Promise((answer) => this.#asked.set(id, answer));
    this.connection.send({ v: 1, jsonrpc: "2.0", id, method, params: { textDocument: { uri: this.uri }, ...params } });
    const { result, error } = await answered;
    if (error) throw new Error(error.message);
    return result;
  }

  #take(message) {
    const { method, params, id } = message;
    if (method === "textDocument/publishDiagnostics" && params.version === this.#version) this.found(params.diagnostics, params.partial);
    if (method === "refused") this.refused(params.message);
    this.#asked.get(id)?.(message);
    this.#asked.delete(id);
  }
}
