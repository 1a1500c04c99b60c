// The keys that name this server to the browsers' push services are made once, at the first start. They stay: who
// subscribed did so with them.
import { makeWebPushKeys } from '@fastback/push'

/** @param {import('../../models.js').Application} app */
export default async function keys (app) {
  const applications = /** @type {any} */ (app.models.Application)
  if (await applications.count({ id: 'page' }) > 0) return
  const web = { subject: process.env.PUSH_SUBJECT ?? 'mailto:push@example.com', ...makeWebPushKeys() }
  await applications.create({ id: 'page', name: 'Page', pushSettings: { web } })
}
