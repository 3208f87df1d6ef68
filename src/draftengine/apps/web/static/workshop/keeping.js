// Texts that this browser keeps. What was kept is on the disk, and there again even if the browser was killed.

const NAME = "drafts";

/** The base of this browser, or nothing where it keeps none. */
const base = new Promise((opened) => {
  const asked = indexedDB.open("draftengine", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(NAME);
  asked.onsuccess = () => {
    renew(asked.result);
    opened(asked.result);
  };
  asked.onerror = () => opened(null);
});

/** Give texts that an older page kept, as nothing but texts, the form of today. All that is read later waits for it. */
function renew(own) {
  own.transaction(NAME, "readwrite").objectStore(NAME).openCursor().onsuccess = ({ target: { result: entry } }) => {
    if (!entry) return;
    const { key, value: text } = entry, [kind, shop] = key.split(" ");
    if (typeof text === "string") entry.update(kind === "draft" ? { shop, text, at: Date.now() } : { text, before: "" });
    entry.continue();
  };
}

/** Keep something under a key; without it, nothing is kept there any more. Return whether it is on the disk. */
export const keep = (key, text) => write((texts) => (text === undefined ? texts.delete(key) : texts.put(text, key)));

/** Keep what `make` makes of what is kept under a key, while no other page changes it. Return whether it is on the disk. */
export const alter = (key, make) => write((texts) => { texts.get(key).onsuccess = ({ target }) => texts.put(make(target.result), key); });

async function write(act) {
  const own = await base;
  return own ? new Promise((answer) => {
    const change = own.transaction(NAME, "readwrite", { durability: "strict" });
    act(change.objectStore(NAME));
    change.oncomplete = () => answer(true);
    change.onabort = () => answer(false);
  }) : false;
}

/** What was kept under a key, or under a range of keys. */
export const kept = (key) => read("get", key);
export const allKept = async (range) => await read("getAll", range) ?? [];

async function read(way, key) {
  const own = await base;
  return own ? new Promise((answer) => {
    const asked = own.transaction(NAME).objectStore(NAME)[way](key);
    asked.onsuccess = () => answer(asked.result);
    asked.onerror = () => answer(undefined);
  }) : undefined;
}
