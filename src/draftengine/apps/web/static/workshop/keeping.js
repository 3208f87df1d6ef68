// Texts that this browser keeps. What was kept is on the disk, and there again even if the browser was killed.

const NAME = "drafts";

/** The base of this browser, or nothing where it keeps none. */
const base = new Promise((opened) => {
  const asked = indexedDB.open("draftengine", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(NAME);
  asked.onsuccess = () => opened(asked.result);
  asked.onerror = () => opened(null);
});

/** Keep something under a key; without it, nothing is kept there any more. Return whether it is on the disk. */
export async function keep(key, text) {
  const own = await base;
  if (!own) return false;
  return new Promise((answer) => {
    const change = own.transaction(NAME, "readwrite", { durability: "strict" }), texts = change.objectStore(NAME);
    if (text === undefined) texts.delete(key);
    else texts.put(text, key);
    change.oncomplete = () => answer(true);
    change.onabort = () => answer(false);
  });
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
