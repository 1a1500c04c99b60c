/**
 * Models with every kind of relation, random rows and random conditions, and what the conditions mean, written down in
 * plain JavaScript without anything of the product: a condition on related rows is a loop over rows.
 */
import fc from 'fast-check'

export type Row = Record<string, any>
export type Where = Record<string, any>
export type Rows = Record<ModelName, Row[]>
export type ModelName = 'Customer' | 'Order' | 'Item' | 'Tag' | 'OrderTag' | 'Picture'
type Holder = ModelName | 'Address' | 'Note'

/** A relation: the model that it leads to, whether to several rows, and the related rows of one. */
interface Way {
  readonly to: Holder
  readonly isList: boolean
  related (row: Row, rows: Rows): Row[]
}

const id = { type: 'number', id: true, generated: false }

export const definitions = [
  {
    name: 'Customer',
    properties: { id, city: 'string', age: 'number', since: 'date', secret: 'string' },
    hidden: ['secret'],
    relations: {
      orders: { type: 'hasMany', model: 'Order', foreignKey: 'customerId' },
      friend: { type: 'belongsTo', model: 'Customer', foreignKey: 'friendId' },
      pictures: { type: 'hasMany', model: 'Picture', polymorphic: 'imageable' }
    }
  },
  {
    name: 'Order',
    properties: { id, total: 'number', status: 'string', customerId: 'number' },
    relations: {
      customer: { type: 'belongsTo', model: 'Customer', foreignKey: 'customerId' },
      items: { type: 'hasMany', model: 'Item', foreignKey: 'orderId' },
      dear: { type: 'hasMany', model: 'Item', foreignKey: 'orderId', scope: { where: { price: { gt: 1 } } } },
      cover: { type: 'hasOne', model: 'Picture', polymorphic: 'imageable' },
      tags: { type: 'hasMany', model: 'Tag', through: 'OrderTag', foreignKey: 'orderId', keyThrough: 'tagId' },
      marks: { type: 'referencesMany', model: 'Tag', foreignKey: 'markIds' },
      address: { type: 'embedsOne', model: 'Address', property: 'sentTo' },
      notes: { type: 'embedsMany', model: 'Note', property: 'noteList' }
    }
  },
  {
    name: 'Item',
    properties: { id, price: 'number', name: 'string', orderId: 'number' },
    relations: { order: { type: 'belongsTo', model: 'Order', foreignKey: 'orderId' } }
  },
  { name: 'Tag', properties: { id, label: 'string' } },
  {
    name: 'OrderTag',
    properties: { id, orderId: 'number', tagId: 'number' },
    relations: {
      order: { type: 'belongsTo', model: 'Order', foreignKey: 'orderId' },
      tag: { type: 'belongsTo', model: 'Tag', foreignKey: 'tagId' }
    }
  },
  {
    name: 'Picture',
    properties: { id, url: 'string', imageableId: 'number', imageableType: 'string' },
    relations: { imageable: { type: 'belongsTo', polymorphic: { idType: 'number' } } }
  }
]

export const embedded = [
  { name: 'Address', properties: { id, street: 'string', floor: 'number' } },
  {
    name: 'Note',
    properties: { id, text: 'string', stars: 'number', tagId: 'number' },
    relations: { tag: { type: 'belongsTo', model: 'Tag', foreignKey: 'tagId' } }
  }
]

const texts = ['Lima', 'Cusco', 'lima', 'É', '', '%']
const numbers = [-1, 0, 1, 1.5, 2]

const properties: Record<Holder, Record<string, 'text' | 'number'>> = {
  Customer: { id: 'number', city: 'text', age: 'number' },
  Order: { id: 'number', total: 'number', status: 'text' },
  Item: { id: 'number', price: 'number', name: 'text' },
  Tag: { id: 'number', label: 'text' },
  OrderTag: { id: 'number' },
  Picture: { id: 'number', url: 'text' },
  Address: { street: 'text', floor: 'number' },
  Note: { text: 'text', stars: 'number' }
}

const one = (to: ModelName, key: string): Way => ({
  to, isList: false, related: (row, rows) => row[key] == null ? [] : rows[to].filter(each => each.id === row[key])
})
const many = (to: ModelName, key: string, fits: (row: Row) => boolean = () => true): Way => ({
  to, isList: true, related: (row, rows) => rows[to].filter(each => each[key] === row.id && fits(each))
})

export const ways: Partial<Record<Holder, Record<string, Way>>> = {
  Customer: {
    orders: many('Order', 'customerId'),
    friend: one('Customer', 'friendId'),
    pictures: many('Picture', 'imageableId', ({ imageableType }) => imageableType === 'Customer')
  },
  Order: {
    customer: one('Customer', 'customerId'),
    items: many('Item', 'orderId'),
    dear: many('Item', 'orderId', ({ price }) => price != null && price > 1),
    cover: { ...many('Picture', 'imageableId', ({ imageableType }) => imageableType === 'Order'), isList: false },
    tags: {
      to: 'Tag',
      isList: true,
      related: (row, rows) => rows.Tag.filter(tag =>
        rows.OrderTag.some(({ orderId, tagId }) => orderId === row.id && tagId === tag.id))
    },
    marks: { to: 'Tag', isList: true, related: (row, rows) => rows.Tag.filter(tag => row.markIds?.includes(tag.id)) },
    address: { to: 'Address', isList: false, related: row => row.sentTo == null ? [] : [row.sentTo] },
    notes: { to: 'Note', isList: true, related: row => row.noteList ?? [] }
  },
  Item: { order: one('Order', 'orderId') },
  OrderTag: { order: one('Order', 'orderId'), tag: one('Tag', 'tagId') },
  Note: { tag: one('Tag', 'tagId') }
}

const text = fc.option(fc.constantFrom(...texts), { nil: null })
const number = fc.option(fc.constantFrom(...numbers), { nil: null })
const key = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null })

const rowsOf = (arbitrary: fc.Arbitrary<Row>): fc.Arbitrary<Row[]> =>
  fc.array(arbitrary, { maxLength: 5 }).map(rows => rows.map((row, i) => ({ id: i + 1, ...row })))

export const someRows: fc.Arbitrary<Rows> = fc.record({
  Customer: rowsOf(fc.record({ city: text, age: number, friendId: key })),
  Order: rowsOf(fc.record({
    total: number,
    status: text,
    customerId: key,
    markIds: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
    sentTo: fc.option(fc.record({ id: fc.constant(1), street: text, floor: number }), { nil: undefined }),
    noteList: fc.array(fc.record({ text, stars: number, tagId: key }), { maxLength: 3 })
      .map(notes => notes.map((note, i) => ({ id: i + 1, ...note })))
  })),
  Item: rowsOf(fc.record({ price: number, name: text, orderId: key })),
  Tag: rowsOf(fc.record({ label: text })),
  OrderTag: rowsOf(fc.record({ orderId: key, tagId: key })),
  Picture: rowsOf(fc.record({ url: text, imageableId: key, imageableType: fc.constantFrom('Customer', 'Order') }))
})

const comparison = (kind: 'text' | 'number'): fc.Arbitrary<unknown> => {
  const value: fc.Arbitrary<unknown> = kind === 'text' ? fc.constantFrom(...texts) : fc.constantFrom(...numbers)
  const listed = fc.array(value, { maxLength: 3 })
  return fc.oneof(
    value, fc.constant(null),
    fc.record({ neq: fc.oneof(value, fc.constant(null)) }),
    fc.record({ inq: listed }), fc.record({ nin: listed }),
    fc.record({ gt: value }), fc.record({ lte: value })
  )
}

/** A condition of a model; relations as deep as `depth`. */
export function someWhere (model: Holder, depth: number): fc.Arbitrary<Where> {
  const tests = Object.entries(properties[model]).map(([name, kind]) =>
    comparison(kind).map(test => ({ [name]: test })))
  const relations = depth === 0
    ? []
    : Object.entries(ways[model] ?? {}).map(([name, way]) => someRelated(name, way, depth))
  const leaf: fc.Arbitrary<Where> = fc.oneof(...tests, ...relations, ...relations)
  const joined = fc.record({ kind: fc.constantFrom('and', 'or', 'nor'), parts: fc.array(leaf, { maxLength: 2 }) })
    .map(({ kind, parts }) => ({ [kind]: parts }))
  return fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: joined })
}

function someRelated (name: string, { to, isList }: Way, depth: number): fc.Arbitrary<Where> {
  const inner = fc.oneof(fc.constant({}), someWhere(to, depth - 1), someWhere(to, depth - 1))
  const quantified = fc.record({ quantifier: fc.constantFrom('some', 'every', 'none'), inner })
    .map(({ quantifier, inner }) => ({ [name]: { [quantifier]: inner } }))
  if (isList) return quantified
  const [property = '', kind = 'text'] = Object.entries(properties[to])[1] ?? ['id', 'number' as const]
  return fc.oneof(
    quantified,
    someWhere(to, depth - 1).map(where => ({ [name]: where })),
    comparison(kind).map(test => ({ [`${name}.${property}`]: test })),
    fc.constant({ [name]: null })
  )
}

/** How many related rows of a row pass a condition. */
export const related = (model: Holder, row: Row, relation: string, where: Where, rows: Rows): number => {
  const { to, related } = ways[model]?.[relation] as Way
  return related(row, rows).filter(each => passes(to, each, where, rows)).length
}

/** The model that a relation leads to, and whether its rows are in the row itself. */
export const targetOf = (model: Holder, relation: string): { to: Holder, isEmbedded: boolean, isList: boolean } => {
  const { to, isList } = ways[model]?.[relation] as Way
  return { to, isList, isEmbedded: !(to in definitionsByName) }
}
const definitionsByName = Object.fromEntries(definitions.map(({ name }) => [name, true]))

/** Whether a row passes a condition. */
export function passes (model: Holder, row: Row, where: Where, rows: Rows): boolean {
  return Object.entries(where).every(([name, test]) => {
    if (name === 'and') return test.every((each: Where) => passes(model, row, each, rows))
    if (name === 'or') return test.some((each: Where) => passes(model, row, each, rows))
    if (name === 'nor') return !test.some((each: Where) => passes(model, row, each, rows))
    const [first = '', ...rest] = name.split('.')
    const way = ways[model]?.[first]
    if (way === undefined) return fits(row[name], test)
    return rest.length > 0
      ? passesRelated(way, row, { some: { [rest.join('.')]: test } }, rows)
      : passesRelated(way, row, quantifiedBy(test), rows)
  })
}

const quantifiedBy = (test: Where | null): Where => {
  if (test === null) return { none: {} }
  const names = Object.keys(test)
  return names.length > 0 && names.every(each => ['some', 'every', 'none'].includes(each)) ? test : { some: test }
}

function passesRelated ({ to, related }: Way, row: Row, test: Where, rows: Rows): boolean {
  const others = related(row, rows)
  return Object.entries(test).every(([quantifier, where]) => {
    const fitting = others.filter(each => passes(to, each, where, rows)).length
    return quantifier === 'some' ? fitting > 0 : quantifier === 'none' ? fitting === 0 : fitting === others.length
  })
}

function fits (value: unknown, test: any): boolean {
  const present = value ?? null
  if (test === null || typeof test !== 'object') return present === test
  const [[operator, wanted]] = Object.entries(test) as [[string, any]]
  switch (operator) {
    case 'neq': return present !== wanted
    case 'inq': return wanted.includes(present)
    case 'nin': return !wanted.includes(present)
    case 'gt': return present !== null && present > wanted
    case 'lte': return present !== null && present <= wanted
    default: throw new Error(operator)
  }
}

/** Models whose rows are put in order by related ones, and what of these decides. */
const orders: Partial<Record<ModelName, readonly string[]>> = {
  Customer: ['orders.$count', 'pictures.$count', 'friend.city', 'friend.friend.age', 'friend.orders.$count', 'city', 'age'],
  Order: [
    'customer.city', 'customer.age', 'customer.friend.city', 'items.$count', 'dear.$count', 'tags.$count', 'marks.$count',
    'cover.url', 'notes.$count', 'address.street', 'address.floor', 'customer.orders.$count', 'status', 'total'
  ],
  Item: ['order.total', 'order.customer.city', 'order.items.$count', 'order.tags.$count', 'order.address.street', 'price'],
  OrderTag: ['order.status', 'tag.label']
}
export const ordered = Object.keys(orders) as ModelName[]

export const someOrder = (model: ModelName): fc.Arbitrary<string[]> => {
  const term = fc.record({
    name: fc.constantFrom(...orders[model] ?? []), direction: fc.constantFrom('', ' ASC', ' DESC')
  })
  return fc.uniqueArray(term, { minLength: 1, maxLength: 3, selector: ({ name }) => name })
    .map(terms => terms.map(({ name, direction }) => name + direction))
}

/** What decides about one row: a value, or null. */
function decides (model: Holder, row: Row, [name = '', ...rest]: readonly string[], rows: Rows): any {
  const way = ways[model]?.[name]
  if (way === undefined) return row[name] ?? null
  const found = way.related(row, rows)
  if (rest[0] === '$count') return found.length
  return found[0] === undefined ? null : decides(way.to, found[0], rest, rows)
}

/** Rows as an order has them: what there is not comes first, and last where it is turned round. */
export function inOrder (model: ModelName, order: readonly string[], rows: Rows): Row[] {
  return [...rows[model]].sort((a, b) => {
    for (const term of order) {
      const [name = '', direction] = term.split(' ')
      const [one, other] = [a, b].map(row => decides(model, row, name.split('.'), rows))
      const result = one === other ? 0 : one === null ? -1 : other === null ? 1 : one < other ? -1 : 1
      if (result !== 0) return direction === 'DESC' ? -result : result
    }
    return a.id - b.id
  })
}
