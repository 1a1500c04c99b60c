/** The models of the suite. */
import type { ModelDefinitionInput } from '@fastback/core'

/** Names of 120 properties, half of them long and different at their ends only. */
export const wideNames: readonly string[] =
  Array.from({ length: 120 }, (_, i) => i % 2 === 0 ? `value${String(i)}` : `${'long'.repeat(12)}${String(i)}`)

/** For the cases on rows. */
export const rowModels: readonly ModelDefinitionInput[] = [
  {
    name: 'Item',
    base: 'PersistedModel',
    properties: {
      name: 'string',
      price: 'number',
      stock: 'integer',
      big: 'long',
      active: 'boolean',
      made: 'date',
      day: 'dateOnly',
      at: 'time',
      labels: ['string'],
      sizes: ['number'],
      dims: { type: { w: 'number', box: { depth: 'number' } } },
      parts: ['object'],
      meta: 'object',
      extra: 'any',
      spot: 'geopoint',
      data: 'buffer',
      shelf: { type: 'number', index: true }
    }
  },
  {
    name: 'Word',
    base: 'PersistedModel',
    idInjection: false,
    properties: { key: { type: 'string', id: true }, value: 'number' }
  },
  {
    name: 'Member',
    base: 'PersistedModel',
    properties: { email: { type: 'string', index: { unique: true } }, team: 'string', number: 'number' },
    indexes: { seat: { keys: { team: 1, number: 1 }, options: { unique: true } } }
  },
  { name: 'Strict', base: 'PersistedModel', strict: true, properties: { name: 'string', size: 'number' } },
  {
    name: 'Wide',
    base: 'PersistedModel',
    strict: true,
    properties: Object.fromEntries(wideNames.map(name => [name, 'string']))
  }
]

/** For the cases on versions: a column of its own, and among rows that keep what is not declared. */
export const versionModels: readonly ModelDefinitionInput[] = [
  {
    name: 'Counted',
    base: 'PersistedModel',
    version: true,
    strict: true,
    properties: { name: { type: 'string', index: { unique: true } }, size: 'number' }
  },
  {
    name: 'Marked',
    base: 'PersistedModel',
    version: 'mark',
    properties: { name: 'string', mark: 'number' }
  }
]

/** For the cases on compound ids. The parts are not declared in their order. */
export const compoundModels: readonly ModelDefinitionInput[] = [
  {
    name: 'Booking',
    base: 'PersistedModel',
    properties: {
      place: { type: 'number', id: 2 },
      guest: 'string',
      hall: { type: 'string', id: 1 }
    }
  }
]

/** For the cases on keys that lead from row to row. */
export const referenceModels: readonly ModelDefinitionInput[] = [
  {
    name: 'Firm',
    base: 'PersistedModel',
    strict: true,
    properties: { name: 'string' },
    relations: {
      owner: { type: 'belongsTo', model: 'Firm', foreignKey: 'ownerId', onDelete: 'cascade' },
      offices: { type: 'hasMany', model: 'Office', foreignKey: 'firmId', onDelete: 'cascade' }
    }
  },
  { name: 'Office', base: 'PersistedModel', strict: true, properties: {} },
  {
    name: 'Desk',
    base: 'PersistedModel',
    strict: true,
    properties: {},
    relations: { office: { type: 'belongsTo', model: 'Office', foreignKey: 'officeId', onDelete: 'cascade' } }
  },
  {
    name: 'Contract',
    base: 'PersistedModel',
    strict: true,
    properties: {},
    relations: {
      office: { type: 'belongsTo', model: 'Office', foreignKey: 'officeId', onDelete: 'restrict' },
      follows: { type: 'belongsTo', model: 'Contract', foreignKey: 'followsId', onDelete: 'restrict' }
    }
  },
  {
    name: 'Visitor',
    base: 'PersistedModel',
    strict: true,
    properties: { name: 'string' },
    relations: { firm: { type: 'belongsTo', model: 'Firm', foreignKey: 'firmId', onDelete: 'setNull' } }
  }
]

/** For the cases on values by key. */
export const valueModels: readonly ModelDefinitionInput[] = [
  { name: 'Cache', base: 'KeyValueModel' },
  { name: 'Other', base: 'KeyValueModel' }
]

const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`)

/** Rows that the cases on conditions, order and paging look at; ids 1 to 8. */
export const items: ReadonlyArray<Record<string, unknown>> = [
  {
    name: 'Assam',
    price: 6.5,
    stock: 40,
    active: true,
    made: day('2019-03-01'),
    labels: ['black', 'strong'],
    sizes: [100, 250],
    shelf: 1,
    dims: { w: 10, box: { depth: 5 } },
    parts: [{ k: 1, tags: ['x', 'y'] }, { k: 2 }],
    meta: { origin: 'India', grade: { leaf: 'TGFOP' } },
    spot: { lat: 59.9, lng: 10.75 }
  },
  {
    name: 'Sencha',
    price: 9,
    stock: 12,
    active: true,
    made: day('2020-05-15'),
    labels: ['green'],
    sizes: [50],
    shelf: 1,
    dims: { w: 8, box: { depth: 4 } },
    parts: [{ k: 3 }],
    meta: { origin: 'Japan' },
    spot: { lat: 59.91, lng: 10.74 }
  },
  {
    name: 'Puer',
    price: 32,
    stock: 0,
    active: false,
    made: day('2018-11-30'),
    labels: ['dark', 'aged'],
    sizes: [],
    shelf: 1,
    meta: { origin: 'China' },
    extra: 'cake',
    spot: { lat: 60.19, lng: 11.1 }
  },
  {
    name: 'Mug',
    price: 12,
    stock: 25,
    active: true,
    made: day('2021-01-10'),
    labels: [],
    sizes: [300],
    shelf: 2,
    dims: { w: 9 },
    extra: 7,
    spot: { lat: 60.39, lng: 5.32 }
  },
  {
    name: 'Gaiwan',
    price: 18.75,
    stock: 7,
    active: true,
    made: day('2020-05-15'),
    labels: ['porcelain', 'white'],
    shelf: 2,
    extra: { lid: true, size: [1, 2] }
  },
  {
    name: 'Atlas of Tea',
    price: 45,
    stock: 3,
    active: false,
    made: day('2017-07-07'),
    labels: ['paper'],
    sizes: [1],
    shelf: 3,
    parts: [],
    big: 9007199254740991
  },
  { name: null, price: null, stock: null, active: null, made: null, labels: null, meta: null, extra: null },
  { name: 'Gift 100% Card_\\', price: 0, stock: 999, labels: ['paper', 'gift'], extra: [1, 'two'] }
]
