// The service worker: the page and its scripts are kept, so that they open without a line. The rows are in IndexedDB.
/// <reference lib="webworker" />
// @ts-check

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis))
const kept = 'page'

worker.addEventListener('install', event => {
  event.waitUntil((async () => {
    const files = await (await fetch('/offline.json')).json()
    await (await worker.caches.open(kept)).addAll(files)
    await worker.skipWaiting()
  })())
})

worker.addEventListener('activate', event => { event.waitUntil(worker.clients.claim()) })

worker.addEventListener('fetch', event => {
  const { origin, pathname } = new URL(event.request.url)
  const isPage = event.request.method === 'GET' && origin === worker.location.origin && !/^\/(api|explorer)\b/.test(pathname)
  if (isPage) event.respondWith(fresh(event.request))
})

/** What the server has, else what is kept. @param {Request} request */
async function fresh (request) {
  const cache = await worker.caches.open(kept)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(request, answer.clone())
    return answer
  } catch (error) {
    // What the server says to scripts of other origins (Vary: Origin) is of no matter here.
    const answer = await cache.match(request, { ignoreSearch: true, ignoreVary: true })
    if (answer === undefined) throw error
    return answer
  }
}
