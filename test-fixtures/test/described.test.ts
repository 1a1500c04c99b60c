/**
 * What clients send to an application of every kind of model: each response has the status that it should have, and is
 * what the description says.
 */
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { createServer } from '@fastback/boot'
import { openApiDocument } from '@fastback/explorer'

const { fastify, stop } = await createServer(fileURLToPath(new URL('../apps/fuzzed', import.meta.url)), { log: false })
t.teardown(stop)
const document = openApiDocument(fastify.registry) as any

const ajv = new Ajv2020({ strict: false, allErrors: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'api', components: document.components })
const validators = new Map<string, ValidateFunction>()

/** What of a response contradicts the description; undefined when nothing does. */
function contradiction (
  verb: string,
  path: string,
  status: number,
  type: string | undefined,
  body: string
): string | undefined {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[verb.toLowerCase()]
  // Of a method that answers every verb, one is described.
  if (operation === undefined || verb === 'HEAD') return undefined
  const described = operation.responses[status] ?? operation.responses.default
  const response =
    described.$ref === undefined ? described : document.components.responses[described.$ref.split('/').at(-1)]
  if (body === '') {
    return response.content === undefined || status === 204 ? undefined : `${verb} ${path}: an empty ${status}`
  }
  const media = response.content?.[(type ?? '').split(';', 1)[0] as string]
  if (media === undefined) return `${verb} ${path}: ${status} is not described as ${type}`
  const key = `${verb} ${path} ${status}`
  let validate = validators.get(key)
  if (validate === undefined) {
    validators.set(
      key,
      (validate = ajv.compile(JSON.parse(JSON.stringify(media.schema).replaceAll('"#/components', '"api#/components'))))
    )
  }
  return validate(JSON.parse(body)) ? undefined : `${key}: ${ajv.errorsText(validate.errors)} in ${body.slice(0, 300)}`
}

interface Request {
  verb: string
  url: string
  path: string
  headers: Record<string, string>
  payload: string | undefined
}

async function send ({
  verb,
  url,
  path,
  headers,
  payload
}: Request): Promise<{ status: number; body: string; fault: string | undefined }> {
  const started = process.cpuUsage()
  const response = await fastify.inject({
    method: verb as 'GET',
    url,
    headers,
    ...(payload === undefined ? {} : { payload })
  })
  const { user, system } = process.cpuUsage(started)
  const took = (user + system) / 1000
  const { statusCode: status, body } = response
  const what = `${verb} ${url} ${JSON.stringify(headers)} ${payload?.slice(0, 500)}`
  if (status >= 500) return { status, body, fault: `${status}: ${what}` }
  if (took > 1_000) return { status, body, fault: `${Math.round(took)} ms of the processor: ${what}` }
  // XML and HTML are for who asks for them; the description is of JSON.
  const type = response.headers['content-type'] as string | undefined
  const wrong =
    type?.startsWith('application/xml') === true || type?.startsWith('text/html') === true
      ? undefined
      : contradiction(verb, path, status, type, body)
  return { status, body, fault: wrong === undefined ? undefined : `${wrong}\n${what}` }
}

t.test('what clients send: each answer is as described', async t => {
  const table: Array<[verb: string, path: string, params: string[], query: string, body: unknown, status: number]> = [
    ['GET', '/Books', [], 'filter={"include":["shelf","tags","similar","about"]}', undefined, 200],
    ['GET', '/Books', [], 'filter={"fields":["title"],"limit":1}', undefined, 200],
    ['GET', '/Books/:id', ['b1'], 'filter={"include":{"shelf":"books"}}', undefined, 200],
    ['GET', '/Books/:id', ['none'], '', undefined, 404],
    ['GET', '/Books/:id/shelf', ['b1'], '', undefined, 200],
    ['GET', '/Books/:id/tags', ['b1'], '', undefined, 200],
    ['GET', '/Books/:id/tags/count', ['b1'], '', undefined, 200],
    ['GET', '/Books/cheap', [], '', undefined, 200],
    ['GET', '/Books/findOne', [], 'filter={"where":{"price":4}}', undefined, 200],
    ['GET', '/Books/count', [], 'where={"price":{"gt":1}}', undefined, 200],
    ['GET', '/Books/count', [], 'where={"price":{"wrong":1}}', undefined, 400],
    ['GET', '/Books/:id/exists', ['b1'], '', undefined, 200],
    ['POST', '/Books', [], '', { title: 'new', cover: 'aGk=', other: 1 }, 200],
    ['POST', '/Books', [], '', [{ title: 'one' }, { title: 'two' }], 200],
    ['POST', '/Books', [], '', { price: -1 }, 422],
    ['PATCH', '/Books/:id', ['b2'], '', { sold: true, printed: null }, 200],
    ['PUT', '/Books/:id', ['b2'], '', { title: 'replaced' }, 200],
    ['POST', '/Books/update', [], 'where={"id":"b2"}', { pages: 2 }, 200],
    ['POST', '/Books/upsertWithWhere', [], 'where={"id":"b2"}', { title: 'again', pages: 3 }, 200],
    ['DELETE', '/Books/:id', ['b2'], '', undefined, 200],
    ['POST', '/Shelves', [], '', { name: 'third', place: { lat: 1, lng: 2 }, labels: ['x'] }, 200],
    ['POST', '/Shelves', [], '', { name: 'x'.repeat(50) }, 422],
    ['GET', '/Shelves', [], 'filter={"where":{"code":"x"}}', undefined, 400],
    ['GET', '/Shelves', [], 'filter={"include":"books"}', undefined, 200],
    ['GET', '/Shelves/:id/books', ['1'], '', undefined, 200],
    ['GET', '/Shelves/:id/best', ['1'], '', undefined, 404],
    ['POST', '/Shelves/:id/books', ['1'], '', { title: 'on it' }, 200],
    ['POST', '/Accounts', [], '', { email: 'jane@example.com', password: 'correct horse' }, 200],
    ['POST', '/Accounts', [], '', { email: 'jane@example.com', password: 'correct horse' }, 422],
    ['POST', '/Accounts/login', [], '', { email: 'jane@example.com', password: 'correct horse' }, 200],
    ['POST', '/Accounts/login', [], '', { email: 'jane@example.com', password: 'wrong' }, 401],
    ['GET', '/Accounts', [], '', undefined, 200],
    ['GET', '/Tools/echo', [], 'text=a&number=1&when=2020-01-01&list=1&list=2', undefined, 200],
    ['GET', '/Tools/echo', [], 'number=x', undefined, 400],
    ['PUT', '/Tools/whole', [], '', { any: 1 }, 200]
  ]
  for (const [verb, path, params, query, body, status] of table) {
    let next = 0
    const url = `/api${path.replaceAll(/:\w+/g, () => params[next++] as string)}${query === '' ? '' : `?${query.replaceAll(/[{}[\]"]/g, encodeURIComponent)}`}`
    const answer = await send({
      verb,
      path,
      url,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      payload: body === undefined ? undefined : JSON.stringify(body)
    })
    t.equal(answer.status, status, `${verb} ${url} ${answer.body.slice(0, 300)}`)
    t.equal(answer.fault, undefined, `${verb} ${url}`)
  }
})
