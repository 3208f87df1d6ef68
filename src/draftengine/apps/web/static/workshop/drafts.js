// Where the text of a page is kept: in a file of this machine, through its server, or in this browser.

import { remember, remembered } from "../dom.js";
import { ask } from "../net.js";
import { language } from "../phrases.js";
import { keep, kept } from "./keeping.js";

const PAUSE = 1000;
const LOOK = 4000;

/** Bytes as text for an address, and back. */
const encoded = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decoded = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** The address of a page with a whole text in it, which needs no server to have kept it. */
export async function linkTo(text) {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `${location.origin}/workshop/new#z=${encoded(packed)}`;
}

async function linked() {
  const packed = new URLSearchParams(location.hash.slice(1)).get("z");
  if (!packed) return null;
  return new TextDecoder().decode(await through(decoded(packed), new DecompressionStream("deflate-raw")));
}

/** The draft of this page. `state` is called with `saved`, `saving`, `unsaved` or `lost`; `other` with a text from elsewhere. */
export async function openDraft(state, other) {
  const shop = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  if (shop === "new") return begin(state, other);
  const there = await ask(`/api/workshop/${encodeURIComponent(shop)}`);
  return there.local ? new FileDraft(shop, there, await kept(`unsaved ${there.key}`), state, other) : new BrowserDraft(shop, await kept(`draft ${shop}`), state, other);
}

/** A new draft: of a link, or of the card set that is to be changed. */
async function begin(state, other) {
  const extended = new URLSearchParams(location.search).get("extends") ?? "";
  const shelved = new URLSearchParams(location.search).get("shelf");
  const text = await linked() ?? (shelved && (await ask(`/api/shelf/${encodeURIComponent(shelved)}`)).text) ?? (await ask(`/api/workshop/begin?extends=${encodeURIComponent(extended)}&language=${language()}`)).text;
  const shop = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join("");
  history.replaceState(null, "", `/workshop/${shop}`);
  const draft = new BrowserDraft(shop, text, state, other);
  draft.change(text);
  return draft;
}

const MOST_VERSIONS = 40;
const MOST_LETTERS = 400_000;
const BETWEEN = 5 * 60_000;

/** The versions of a draft that this browser has kept, newest first. */
export const versionsOf = (draft) => remembered(`versions ${draft.key}`, []);

/** Keep the text as a version, unless it is the last one; where it is only typed on, once in five minutes. */
export function keepVersion(draft, typed = false) {
  const versions = versionsOf(draft);
  if (versions[0]?.text === draft.text || (typed && Date.now() - (versions[0]?.at ?? 0) < BETWEEN)) return;
  let letters = 0;
  const kept = [{ at: Date.now(), text: draft.text }, ...versions].filter(({ text }) => (letters += text.length) < MOST_LETTERS);
  remember(`versions ${draft.key}`, kept.slice(0, MOST_VERSIONS));
}

/** A draft in this browser: kept with each change, and taken over from another page that changes it. */
class BrowserDraft {
  #pages;

  constructor(shop, text, state, other) {
    Object.assign(this, { shop, state, key: shop, file: "" });
    this.missing = text === undefined;
    this.text = text ?? "";
    this.#pages = new BroadcastChannel(`draft ${shop}`);
    this.#pages.addEventListener("message", ({ data: theirs }) => {
      if (theirs !== this.text) other(theirs, () => { this.text = theirs; }, () => this.change(this.text), () => {});
    });
    state("saved");
  }

  async change(text) {
    this.text = text;
    this.state("saving");
    const done = await keep(`draft ${this.shop}`, text);
    if (text !== this.text) return;
    this.state(done ? "saved" : "lost");
    if (done) this.#pages.postMessage(text);
  }
}

/** A draft in a file. Until the server has written it, this browser keeps what was typed. */
class FileDraft {
  #timer = 0;
  #busy = false;
  #meeting = false;

  constructor(shop, { file, key, text, hash }, left, state, other) {
    Object.assign(this, { shop, file, key, state, other, text, hash });
    this.written = text;
    if (left !== undefined && left !== text) setTimeout(() => this.other(left, () => this.change(left), () => keep(this.#key), () => {}));
    setInterval(() => this.#look(), LOOK);
    addEventListener("focus", () => this.#look());
    state("saved");
  }

  get #key() {
    return `unsaved ${this.key}`;
  }

  change(text) {
    this.text = text;
    clearTimeout(this.#timer);
    if (text === this.written) {
      keep(this.#key);
      this.state("saved");
      return;
    }
    keep(this.#key, text);
    this.state("saving");
    this.#timer = setTimeout(() => this.#save(), PAUSE);
  }

  async #save() {
    if (this.#busy) {
      this.#timer = setTimeout(() => this.#save(), PAUSE);
      return;
    }
    this.#busy = true;
    const { text } = this;
    try {
      const { hash } = await ask(`/api/workshop/${this.shop}/save`, { text, before: this.hash });
      Object.assign(this, { hash, written: text });
      if (text === this.text) {
        keep(this.#key);
        this.state("saved");
      }
    } catch (error) {
      this.state("unsaved");
      if (error.code === "changed-elsewhere") await this.#meet();
      else this.#timer = setTimeout(() => this.#save(), LOOK);
    } finally {
      this.#busy = false;
    }
  }

  /** Take over what was written into the file by another program, or ask where both have changed. */
  async #look() {
    if (this.#busy || document.hidden) return;
    const now = await ask(`/api/workshop/${this.shop}`).catch(() => null);
    if (!now || now.hash === this.hash || this.#busy || this.#meeting) return;
    await this.#meet(now);
  }

  async #meet(known) {
    const theirs = known ?? await ask(`/api/workshop/${this.shop}`).catch(() => null);
    if (!theirs || this.#meeting) return;
    const mine = this.text;
    const take = () => { this.#meeting = false; keep(this.#key); Object.assign(this, { text: theirs.text, written: theirs.text, hash: theirs.hash }); this.state("saved"); };
    const keep = () => { this.#meeting = false; this.hash = theirs.hash; this.change(mine); };
    if (mine === theirs.text || mine === this.written) {
      take();
      this.other(theirs.text, null, null);
    } else {
      this.#meeting = true;
      this.other(theirs.text, take, keep, () => { this.#meeting = false; });
    }
  }
}
