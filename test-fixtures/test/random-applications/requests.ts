/** Requests to a random application: rows first, then everything that its description has, with good and odd values. */
import { Choice } from './choice.js'
import { rowFor, valuesOf, type ApplicationShape, type ArgumentShape, type ModelShape } from './shapes.js'

export interface Sent {
  readonly verb: string
  /** With the query string, below `/api`. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const encoded = (value: unknown): string => encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))

function whereFor (choice: Choice, { properties, definition }: ModelShape, ofWrite = false): Record<string, unknown> {
  // LoopBack leaves a hidden property out of the condition, and writes all rows.
  const hidden = ofWrite ? [definition.hidden, definition.protected].flat() : []
  const plain = properties.filter(({ name, kind }) =>
    ['string', 'number', 'boolean', 'date'].includes(kind) && !hidden.includes(name))
  if (plain.length === 0) return { id: 1 }
  const { name, kind } = choice.of(plain)
  const value = (): unknown => choice.of(valuesOf[kind])
  const condition = choice.of<() => Record<string, unknown>>([
    () => ({ [name]: value() }),
    () => ({ [name]: { neq: value() } }),
    // LoopBack's memory compares moments in lists by identity, and knows no `exists`.
    () => (kind === 'date' ? { [name]: value() } : { [name]: { inq: [value(), value()] } }),
    () => (kind === 'date' ? { [name]: { lt: value() } } : { [name]: { nin: [value()] } }),
    () => ({ [name]: { gt: value() } }),
    () => ({ [name]: { lte: value() } }),
    () => ({ [name]: { between: [value(), value()] } }),
    () => ({ or: [{ [name]: value() }, { id: 1 }] }),
    () => ({ and: [{ [name]: value() }, { id: { gt: 0 } }] }),
    () => (kind === 'string' ? { [name]: { regexp: '^[ab]' } } : { [name]: null })
  ])
  return condition()
}

function filterFor (choice: Choice, model: ModelShape): Record<string, unknown> {
  const names = model.properties.map(({ name }) => name)
  // Objects have no order.
  const ordered = model.properties
    .filter(({ kind }) => !['object', 'array', 'geopoint'].includes(kind)).map(({ name }) => name)
  const filter: Record<string, unknown> = {}
  if (choice.chance(0.4)) filter.where = whereFor(choice, model)
  if (choice.chance(0.3)) filter.order = `${choice.of(['id', ...ordered])} ${choice.of(['ASC', 'DESC'])}`
  if (choice.chance(0.3)) filter.limit = 1 + choice.below(3)
  if (choice.chance(0.15)) filter.skip = choice.below(3)
  if (choice.chance(0.2)) filter.fields = choice.chance(0.5) ? ['id', ...choice.some(names)] : { [choice.of(['id', ...names])]: choice.chance(0.5) }
  if (choice.chance(0.4) && model.relations.length > 0) {
    const { name } = choice.of(model.relations)
    filter.include = choice.of<unknown>([
      name, [name], { relation: name }, { relation: name, scope: { limit: 1 } }, { relation: name, scope: { order: 'id DESC' } }
    ])
  }
  return filter
}

const query = (name: string, value: unknown): string => `?${name}=${encoded(value)}`

function rowRequest (choice: Choice, model: ModelShape): Sent {
  const root = `/${model.path}`
  const id = 1 + choice.below(6)
  const row = (given?: number): Record<string, unknown> => rowFor(choice, model, given)
  const part = (): Record<string, unknown> => Object.fromEntries(Object.entries(row()).slice(0, 2))
  return choice.of<() => Sent>([
    () => ({ verb: 'GET', path: root + query('filter', filterFor(choice, model)) }),
    () => ({ verb: 'GET', path: root + query('filter', filterFor(choice, model)) }),
    () => ({ verb: 'GET', path: root }),
    () => ({ verb: 'GET', path: `${root}/findOne` + (choice.chance(0.6) ? query('filter', filterFor(choice, model)) : '') }),
    () => ({ verb: 'GET', path: `${root}/count` + (choice.chance(0.6) ? query('where', whereFor(choice, model)) : '') }),
    () => ({ verb: 'GET', path: `${root}/${id}` }),
    () => ({ verb: 'GET', path: `${root}/${id}` + query('filter', filterFor(choice, model)) }),
    () => ({ verb: 'GET', path: `${root}/${id}/exists` }),
    () => ({ verb: 'HEAD', path: `${root}/${id}` }),
    () => ({ verb: 'POST', path: root, body: row(model.givesIds && choice.chance(0.6) ? id + 10 : undefined) }),
    () => ({ verb: 'POST', path: root, body: row() }),
    () => ({ verb: 'PUT', path: root, body: row(id) }),
    () => ({ verb: 'PATCH', path: root, body: { ...part(), ...(choice.chance(0.7) ? { id } : {}) } }),
    () => ({ verb: 'PUT', path: `${root}/${id}`, body: row() }),
    () => ({ verb: 'PATCH', path: `${root}/${id}`, body: part() }),
    () => ({ verb: 'POST', path: `${root}/${id}/replace`, body: row() }),
    () => ({ verb: 'POST', path: `${root}/replaceOrCreate`, body: row(id) }),
    () => ({ verb: 'POST', path: `${root}/upsertWithWhere${query('where', { id })}`, body: part() }),
    () => ({ verb: 'POST', path: `${root}/update${query('where', whereFor(choice, model, true))}`, body: part() }),
    () => ({ verb: 'DELETE', path: `${root}/${id}` })
  ])()
}

/** Members of what relations bring, by type: which requests there are. */
function relatedRequest (choice: Choice, model: ModelShape, models: readonly ModelShape[]): Sent | undefined {
  if (model.relations.length === 0) return undefined
  const relation = choice.of(model.relations)
  const target = models.find(({ name }) => name === relation.model) as ModelShape
  const root = `/${model.path}/${1 + choice.below(4)}/${relation.name}`
  const id = 1 + choice.below(4)
  const row = (): Record<string, unknown> => rowFor(choice, target)
  const read = (): Sent => ({ verb: 'GET', path: root })
  const add = (): Sent => ({ verb: 'POST', path: root, body: row() })
  const one: Array<() => Sent> = [read, read, add, () => ({ verb: 'PUT', path: root, body: row() }), () => ({ verb: 'DELETE', path: root })]
  const many: Array<() => Sent> = [
    read, add, add,
    () => ({ verb: 'GET', path: root + query('filter', filterFor(choice, target)) }),
    () => ({ verb: 'GET', path: `${root}/count` }),
    () => ({ verb: 'GET', path: `${root}/${id}` }),
    () => ({ verb: 'PUT', path: `${root}/${id}`, body: row() }),
    () => ({ verb: 'DELETE', path: `${root}/${id}` })
  ]
  const linked: Array<() => Sent> = [
    ...many,
    () => ({ verb: 'PUT', path: `${root}/rel/${id}` }),
    () => ({ verb: 'HEAD', path: `${root}/rel/${id}` }),
    () => ({ verb: 'DELETE', path: `${root}/rel/${id}` })
  ]
  switch (relation.type) {
    case 'belongsTo': return read()
    case 'hasOne': case 'embedsOne': return choice.of(one)()
    case 'hasMany': case 'embedsMany': return choice.of(many)()
    default: return choice.of(linked)()
  }
}

const argumentTexts: Readonly<Record<string, readonly string[]>> = {
  string: ['a', 'bad', '', '5', 'true'],
  number: ['1', '2.5', '-3', '', 'abc', '1e3'],
  boolean: ['true', 'false', '1', '0', ''],
  date: ['2020-01-02', '2020-01-02T03:04:05.678Z', '', 'never'],
  object: ['{"a":1}', '{}', '', 'x'],
  any: ['a', '1', 'true', '{"a":1}', '[1]', ''],
  array: ['["a"]', '[]', 'x', ''],
  geopoint: ['1,2', '{"lat":1,"lng":2}', 'x']
}

const argumentValues: Readonly<Record<string, readonly unknown[]>> = {
  string: ['a', 'bad', '', null],
  number: [1, 2.5, 0, null],
  boolean: [true, false, null],
  date: ['2020-01-02T03:04:05.678Z', null],
  object: [{ a: 1 }, {}, null],
  any: ['a', 1, true, { a: 1 }, [1], null],
  array: [['a'], [], null],
  geopoint: [{ lat: 1, lng: 2 }]
}

const kindOf = (type: unknown): string => Array.isArray(type) ? 'array' : type as string

function callRequest (choice: Choice, model: ModelShape): Sent | undefined {
  if (model.methods.length === 0) return undefined
  const { args, isStatic, path, verb } = choice.of(model.methods)
  const given = args.filter(({ required }) => choice.chance(required ? 0.9 : 0.7))
  const inQuery = ({ source }: ArgumentShape): boolean =>
    source === 'query' || (source === undefined && verb === 'get')
  const texts = given.filter(inQuery).map(({ arg, type }) =>
    `${arg}=${encodeURIComponent(choice.of(argumentTexts[kindOf(type)] ?? ['{"item0":"a"}']))}`)
  const headers = Object.fromEntries(given.filter(({ source }) => source === 'header')
    .map(({ arg, type }) => [arg, choice.of(argumentTexts[kindOf(type)] ?? ['x'])] as const)
    .filter(([, text]) => text !== ''))
  const whole = given.find(({ source }) => source === 'body')
  const form = given.filter(each => each !== whole && !inQuery(each) && each.source !== 'header')
  const body = whole !== undefined
    ? { a: 'a', ...(choice.chance(0.3) ? { b: 1 } : {}) }
    : verb === 'get' ? undefined : Object.fromEntries(form.map(({ arg, type }) => [arg, choice.of(argumentValues[kindOf(type)] ?? [{}])]))
  return {
    verb: verb.toUpperCase(),
    path: `/${model.path}${isStatic ? '' : `/${1 + choice.below(3)}`}${path}${texts.length === 0 ? '' : `?${texts.join('&')}`}`,
    headers,
    ...(body === undefined ? {} : { body })
  }
}

/** All requests of a seed, in their order. At the end every list is read: what was written shows. */
export function requestsFor (seed: number, { models }: ApplicationShape): Sent[] {
  const choice = new Choice(seed + 1_000_003)
  const first = models.flatMap(model => Array.from({ length: 4 }, (_, i): Sent =>
    ({ verb: 'POST', path: `/${model.path}`, body: rowFor(choice, model, model.givesIds ? i + 1 : undefined) })))
  const then = Array.from({ length: 40 }, (): Sent => {
    const model = choice.of(models)
    const sent = choice.chance(0.25)
      ? callRequest(choice, model)
      : choice.chance(0.3) ? relatedRequest(choice, model, models) : undefined
    return sent ?? rowRequest(choice, model)
  })
  return [...first, ...then, ...models.map(({ path }): Sent => ({ verb: 'GET', path: `/${path}?filter=${encoded({ order: 'id' })}` }))]
}
