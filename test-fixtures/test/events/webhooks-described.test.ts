/** What the description of the API says of subscriptions and deliveries. */
import t from 'tap'
import { openApiDocument } from '@fastback/explorer'
import { makeApp } from '../../../packages/events/test/webhooks/app.js'

type Loose = any

t.test('the routes that there are, with what they take and give', async t => {
  const Note = { name: 'Note', events: true, properties: { text: 'string' } }
  const app = await makeApp(t, { definitions: [Note] })
  const { paths, components: { schemas } } = openApiDocument(app.registry) as Loose
  const routes = Object.entries<Loose>(paths)
    .filter(([path]) => path.includes('/Webhook'))
    .flatMap(([path, methods]) => Object.keys(methods as object).map(method => `${method.toUpperCase()} ${path.replace(/^.*(?=\/Webhook)/, '')}`))
  t.strictSame(routes.sort(), [
    'DELETE /WebhookSubscriptions/{id}',
    'GET /WebhookSubscriptions',
    'GET /WebhookSubscriptions/count',
    'GET /WebhookSubscriptions/{id}',
    'GET /WebhookSubscriptions/{id}/deliveries',
    'PATCH /WebhookSubscriptions/{id}',
    'POST /WebhookDeliveries/{id}/replay',
    'POST /WebhookSubscriptions',
    'POST /WebhookSubscriptions/{id}/rotate-secret',
    'POST /WebhookSubscriptions/{id}/test'
  ])
  const names = Object.keys(schemas.WebhookSubscription.properties as object)
  t.notOk(['userKey', 'slot', 'previousSecret', 'previousUntil'].some(name => names.includes(name)))
})
