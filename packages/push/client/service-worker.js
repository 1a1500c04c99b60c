// Shows what `@fastback/push` sends to a browser, and opens its page on a click. Served by the application from its
// root, as the folder of this file is all that it sees. A classic script: not all browsers take modules here.

const worker = /** @type {any} */ (globalThis)

worker.addEventListener('install', () => { worker.skipWaiting() })
worker.addEventListener('activate', event => { event.waitUntil(worker.clients.claim()) })

worker.addEventListener('push', event => {
  event.waitUntil(show(read(event.data)))
})

worker.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

/** What cannot be read is shown as well: browsers take the permission from pages that stay silent. */
function read (data) {
  try {
    const message = data.json()
    return message !== null && typeof message === 'object' ? message : {}
  } catch {
    return {}
  }
}

async function show ({ title, body, icon, badge, tag, data }) {
  const count = Number(badge)
  const isCount = badge !== undefined && Number.isInteger(count) && count >= 0
  if (isCount && worker.navigator.setAppBadge !== undefined) await worker.navigator.setAppBadge(count).catch(() => {})
  await worker.registration.showNotification(text(title) ?? worker.location.hostname, {
    body: text(body) ?? '',
    data: data ?? {},
    ...(text(icon) === undefined ? {} : { icon }),
    ...(text(tag) === undefined ? {} : { tag }),
    // The number on the application's icon has the name that browsers gave to a small image.
    ...(isCount || text(badge) === undefined ? {} : { badge })
  })
}

const text = value => typeof value === 'string' && value !== '' ? value : undefined

/** A page of this application alone: an address of elsewhere is left aside. */
async function open (given) {
  const { scope } = worker.registration
  const asked = URL.canParse(given, scope) ? new URL(given, scope) : new URL(scope)
  const { href } = asked.origin === worker.location.origin ? asked : new URL(scope)
  const pages = await worker.clients.matchAll({ type: 'window' })
  const there = pages.find(({ url }) => url === href)
  await (there === undefined ? worker.clients.openWindow(href) : there.focus())
}
