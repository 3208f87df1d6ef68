// Where the text of a page is kept: in a file of this machine, through its server, or in this browser.

import { forget, remember, remembered } from "../dom.js";
import { ask } from "../net.js";
import { language } from "../phrases.js";
import { allKept, alter, keep, kept } from "./keeping.js";

const PAUSE = 1000;
const LOOK = 1500;

/** Bytes as text for an address, and back. */
const encoded = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
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

/** The games that this browser keeps and somebody has changed, the latest first; of files, those that this server has. */
export async function ownGames() {
  const games = (await allKept(IDBKeyRange.bound("draft ", "draft!"))).filter(({ at }) => at);
  const there = await Promise.all(games.map(({ file, shop }) => !file || ask(`/api/workshop/${shop}`).then(({ local }) => local, () => false)));
  return games.filter((_, at) => there[at]).map((own) => ({ ...own, title: titleOf(own.text) })).sort((one, other) => other.at - one.at);
}

/** What a text calls itself, as far as that can be read without its rules; else its id. */
export const titleOf = (text) => (/^title: *["']?([^"'{&*].*?)["']? *$/m.exec(text) ?? /^id: *(\w+)/m.exec(text))?.[1] ?? "";

/** Forget a game that this browser keeps, with its versions. */
export async function dropGame(shop) {
  await keep(`draft ${shop}`);
  forget(`versions ${shop}`);
  forget(`known ${shop}`);
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
  const draft = new BrowserDraft(shop, { text, at: 0, shelf: null }, state, other);
  draft.record({});
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
  /** The last text that this page and the others agreed on. */
  #settled;

  constructor(shop, kept, state, other) {
    Object.assign(this, { shop, state, other, key: shop, file: "", missing: !kept, kept });
    this.text = this.#settled = kept?.text ?? "";
    this.#pages = new BroadcastChannel(`draft ${shop}`);
    this.#pages.addEventListener("message", ({ data }) => this.#hear(data));
    state("saved");
  }

  /** Where the text is on the shelf of the server, and the token with which it is changed there. */
  get shelf() {
    return this.kept.shelf;
  }

  /** Keep more about this draft beside its text. Return whether it is on the disk. */
  record(more) {
    this.kept = { ...this.kept, ...more };
    return this.#alter(() => more);
  }

  /** Keep the text. Where another page has kept one that nobody has seen here, keep that one, and ask. */
  async change(text) {
    if (text === this.text && text === this.#settled) return;
    let before = this.#settled, theirs = null;
    this.text = text;
    this.state("saving");
    const done = await this.#alter((there) => {
      theirs = [this.#settled, text, undefined].includes(there) ? null : there;
      if (theirs !== null) return {};
      before = there ?? this.#settled;
      this.#settled = text;
      return { text, at: Date.now() };
    });
    if (!done && theirs === null) this.#settled = before;
    if (text !== this.text) return;
    this.state(done && theirs === null ? "saved" : "lost");
    if (done && theirs !== null) this.#meet(theirs);
  }

  /** Keep what `more` says beside what is kept: it is called with the text that is kept now. Tell other pages. */
  async #alter(more) {
    const done = await alter(`draft ${this.shop}`, (now) => {
      this.kept = { ...this.kept, ...now };
      Object.assign(this.kept, more(now?.text));
      return { ...this.kept, shop: this.shop };
    });
    if (done) this.#pages.postMessage(this.kept);
    return done;
  }

  /** Take over what another page has kept, unless a change of this page is on its way, which meets it itself. */
  #hear(kept) {
    this.kept = kept;
    if (kept.text !== this.text && this.text !== this.#settled) return;
    const news = kept.text !== this.text;
    this.#take(kept.text);
    if (news) this.other(kept.text);
  }

  #take(text) {
    this.text = this.#settled = text;
    this.state("saved");
  }

  /** Ask which text goes on. Who does not answer is asked again when the text here changes. */
  #meet(theirs) {
    this.other(theirs, () => this.#take(theirs), () => { this.#settled = theirs; this.change(this.text); }, () => {});
  }
}

/** A draft in a file. Until the server has written it, this browser keeps what was typed, and which text it was typed into. */
class FileDraft {
  #timer = 0;
  #busy = false;
  #meeting = false;
  /** What stood in the file, and the text here, when nobody chose between them. */
  #refused = {};
  #pages;

  constructor(shop, { file, key, text, hash }, left, state, other) {
    Object.assign(this, { shop, file, key, state, other, text, hash });
    this.written = text;
    this.#pages = new BroadcastChannel(`file ${key}`);
    this.#pages.addEventListener("message", () => this.#look());
    keep(`draft ${shop}`, { shop, file, text, at: Date.now() });
    setInterval(() => this.#look(), LOOK);
    addEventListener("focus", () => this.#look());
    state("saved");
    if (left === undefined || left.text === text) return;
    Object.assign(this, { text: left.text, hash: left.before, written: null });
    state("unsaved");
    this.#timer = setTimeout(() => this.#save());
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
    keep(this.#key, { text, before: this.hash });
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
      this.#pages.postMessage(hash);
      if (text === this.text) {
        keep(this.#key);
        this.state("saved");
      }
    } catch (error) {
      this.state(error.code === "no-such-file" ? "gone" : "unsaved");
      if (error.code === "changed-elsewhere") await this.#meet();
      else this.#timer = setTimeout(() => this.#save(), LOOK);
    } finally {
      this.#busy = false;
    }
  }

  /** Take over what was written into the file by another program or page, or ask where both have changed. */
  async #look() {
    if (this.#busy || document.hidden) return;
    const now = await ask(`/api/workshop/${this.shop}`).catch(() => null);
    if (now?.local === false) this.state("gone");
    else if (now && this.text === this.written) this.state("saved");
    if (!now?.local || [this.hash, this.#refused.hash].includes(now.hash) || this.#busy) return;
    await this.#meet(now);
  }

  /** Where both texts have changed, ask. Who does not answer is asked again when the text here changes. */
  async #meet(known) {
    const theirs = known ?? await ask(`/api/workshop/${this.shop}`).catch(() => null);
    if (!theirs?.local || this.#meeting || (theirs.hash === this.#refused.hash && this.text === this.#refused.text)) return;
    const settle = (own) => { this.#meeting = false; Object.assign(this, own); };
    const take = () => { settle({ text: theirs.text, written: theirs.text, hash: theirs.hash }); keep(this.#key); this.state("saved"); };
    if ([theirs.text, this.written].includes(this.text)) {
      take();
      this.other(theirs.text);
      return;
    }
    this.#meeting = true;
    this.other(theirs.text, take, () => { settle({ hash: theirs.hash }); this.change(this.text); }, () => { settle({}); this.#refused = { hash: theirs.hash, text: this.text }; });
  }
}
