// Without a connection, an installed page says so, in its language and style. Everything else goes to the server as usual.

const here = (name) => new URL(name, self.location).pathname;
const KEPT = [here("style.css"), here("icon.svg"), "/api/words"];
const CACHE = here("");

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(alone));
  else if (KEPT.slice(0, 2).includes(new URL(event.request.url).pathname)) event.respondWith(caches.match(event.request).then((found) => found ?? fetch(event.request)));
});

/** The page without a connection. All its words are those of the server's catalogue. */
async function alone() {
  const { language, messages } = await (await caches.match("/api/words")).json();
  const [title, text, again] = ["title", "text", "again"].map((id) => messages[`page.offline.${id}`]);
  return new Response(`<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="stylesheet" href="${KEPT[0]}">
<main class="lobby"><section class="box"><img src="${KEPT[1]}" alt="" width="60" height="60"><h1>${title}</h1><p>${text}</p><a class="button main" href="">${again}</a></section></main></html>`, { headers: { "content-type": "text/html; charset=utf-8" } });
}
