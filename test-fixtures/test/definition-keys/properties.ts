/** What each key of a property does, as JSON and as an option of a TypeBox schema. */
import { Type, type TSchema } from '@sinclair/typebox'
import { readdirSync } from 'node:fs'
import type { Test } from 'tap'
import type { Effect, Loose, Refused, World } from './world.js'

export interface PropertyEffect extends Effect {
  /** The value of the key. */
  readonly value: unknown
  /** The type in JSON. Default: "string". */
  readonly type?: unknown
  /** The type in TypeBox, by what else it says; null where there is none of it. Default: a text. */
  readonly schema?: ((options: object) => TSchema) | null
  /** Further keys of the property. */
  readonly beside?: object
  /** Further keys of the model. */
  readonly model?: object
  readonly shown?: readonly string[]
  /** Settings of the application. */
  readonly settings?: object
}

/** What is taken and what is refused, over REST and in the process. */
const judges = (good: unknown, bad: unknown): Effect['shows'] => async (t, { Note, send }) => {
  t.equal((await send('POST', '/Notes', { it: good })).status, 200, `${JSON.stringify(good)} is taken`)
  t.equal((await send('POST', '/Notes', { it: bad })).status, 422, `${JSON.stringify(bad)} is refused`)
  await t.rejects(Note.create({ it: bad }), { statusCode: 422 } as Loose, 'in the process, too')
  await t.rejects(Note.updateAll({}, { it: bad }), { statusCode: 422 } as Loose, 'and of changes')
}

/** What is stored of a text, by every way to write it. */
const stores = (given: string, stored: string): Effect['shows'] => async (t, { Note, send }) => {
  const { body: { id, it } } = await send('POST', '/Notes', { it: given })
  t.equal(it, stored, 'create')
  t.equal((await send('PATCH', `/Notes/${id}`, { it: given })).body.it, stored, 'patch')
  t.equal((await send('PUT', `/Notes/${id}`, { it: given })).body.it, stored, 'replace')
  t.equal((await send('PATCH', '/Notes', { id, it: given })).body.it, stored, 'upsert')
  t.equal((await Note.create({ it: given })).it, stored, 'in the process')
  t.equal((await Note.upsertWithWhere({ it: given, id }, { it: given })).it, stored, 'upsertWithWhere')
  await Note.updateAll({ id }, { it: given })
  t.equal((await Note.findById(id)).it, stored, 'updateAll')
  t.equal((await Note.find({ where: { it: given } })).length, 2, 'who asks for what was sent finds it')
  t.equal((await Note.find({ where: { it: { inq: [given] } } })).length, 2)
  t.equal((await send('GET', `/Notes/count?where=${JSON.stringify({ it: { neq: given } })}`)).body.count, 0)
  t.equal((await Note.find({ where: { it: { like: given } } })).length, 0, 'patterns stay what they are')
}

const described = (text: string): Effect['shows'] => async (t, { document }) => {
  t.equal(document().components.schemas.Note.properties.it.description, text)
}

const hasDefault = async (t: Test, { Note }: World, isStored: boolean): Promise<void> => {
  const { id } = await Note.create({})
  t.equal((await Note.findById(id)).it, isStored ? 'x' : undefined)
}

const number = (options: object): TSchema => Type.Number(options)
const list = (options: object): TSchema => Type.Array(Type.String(), options)
const column: Refused = { refused: 'x' }
const digits: Refused = { refused: 5 }
/** What connectors made for LoopBack read of a property. */
const told = (key: string): PropertyEffect => ({
  value: 5,
  async shows (t, { Note }) { t.equal(Note.definition.properties.it[key], 5) }
})

const file = {
  type: 'file', schema: null, beside: { storage: 'files' }
}
const text = (): File => new File(['hello'], 'a.txt', { type: 'text/plain' })

const kept: Effect['shows'] = async (t, { Note, files }) => {
  await Note.create({ it: text() })
  t.ok(readdirSync(files).includes('notes'))
  t.equal(readdirSync(`${files}/notes`).length, 1)
}

export const propertyEffects: Readonly<Record<string, PropertyEffect | Refused>> = {
  type: { value: 'number', schema: number, shows: judges(5, 'five') },
  id: {
    value: true,
    async shows (t, { send }) {
      await send('POST', '/Notes', { it: 'a' })
      t.match(await send('GET', '/Notes/a'), { status: 200, body: { it: 'a' } })
    }
  },
  generated: {
    value: true, type: 'number', schema: number, beside: { id: true },
    async shows (t, { send }) { t.type((await send('POST', '/Notes', {})).body.it, 'number') }
  },
  required: {
    value: true, schema: () => Type.String(),
    async shows (t, { Note, send }) {
      t.equal((await send('POST', '/Notes', {})).status, 422)
      await t.rejects(Note.create({}), { statusCode: 422 } as Loose)
    }
  },
  default: { value: 'x', async shows (t, { send }) { t.equal((await send('POST', '/Notes', {})).body.it, 'x') } },
  defaultFn: {
    value: 'uuidv4', async shows (t, { send }) { t.match((await send('POST', '/Notes', {})).body.it, /^.{14}4/) }
  },
  hidden: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'x' })
      t.notOk('it' in (await send('GET', '/Notes/1')).body)
      t.match(await send('GET', '/Notes?filter={"where":{"it":"x"}}'), { status: 400 })
    }
  },
  protected: {
    value: true,
    shown: ['Page'],
    async shows (t, { Note, models, send }) {
      const { id } = await Note.create({ it: 'x' })
      await models.Page.create({ noteId: id })
      t.equal((await send('GET', '/Notes/1')).body.it, 'x')
      t.notOk('it' in (await send('GET', '/Pages/1?filter={"include":"note"}')).body.note)
    }
  },
  index: {
    value: { unique: true },
    async shows (t, { Note }) {
      await Note.create({ it: 'x' })
      await t.rejects(Note.create({ it: 'x' }))
    }
  },
  unique: {
    value: true,
    async shows (t, { send }) {
      t.equal((await send('POST', '/Notes', { it: 'x' })).status, 200)
      t.equal((await send('POST', '/Notes', { it: 'x' })).status, 422)
    }
  },
  length: told('length'),
  precision: told('precision'),
  scale: told('scale'),
  minLength: { value: 2, shows: judges('ab', 'a') },
  maxLength: { value: 2, shows: judges('ab', 'abc') },
  minimum: { value: 2, type: 'number', schema: number, shows: judges(2, 1) },
  maximum: { value: 2, type: 'number', schema: number, shows: judges(2, 3) },
  exclusiveMinimum: { value: 2, type: 'number', schema: number, shows: judges(3, 2) },
  exclusiveMaximum: { value: 2, type: 'number', schema: number, shows: judges(1, 2) },
  multipleOf: { value: 2, type: 'number', schema: number, shows: judges(4, 3) },
  minItems: { value: 1, type: ['string'], schema: list, shows: judges(['a'], []) },
  maxItems: { value: 1, type: ['string'], schema: list, shows: judges(['a'], ['a', 'b']) },
  uniqueItems: { value: true, type: ['string'], schema: list, shows: judges(['a', 'b'], ['a', 'a']) },
  pattern: { value: '^a', shows: judges('ab', 'b') },
  format: { value: 'email', shows: judges('ann@example.com', 'ann') },
  enum: { value: ['a', 'b'], shows: judges('a', 'c') },
  jsonSchema: { value: { const: 'a' }, shows: judges('a', 'b') },
  bodySchema: {
    value: { maxLength: 2 },
    async shows (t, { Note, send }) {
      t.equal((await send('POST', '/Notes', { it: 'abc' })).status, 422, 'of clients')
      t.equal((await Note.create({ it: 'abc' })).it, 'abc', 'not of code')
    }
  },
  storage: { ...file, value: 'files', shows: kept },
  container: {
    ...file, value: 'papers',
    async shows (t, { Note, files }) {
      await Note.create({ it: text() })
      t.ok(readdirSync(files).includes('papers'))
    }
  },
  accept: {
    ...file, value: 'image/*', async shows (t, { Note }) { await t.rejects(Note.create({ it: text() })) }
  },
  maxSize: { ...file, value: 2, async shows (t, { Note }) { await t.rejects(Note.create({ it: text() })) } },
  description: { value: 'What it is', shows: described('What it is') },
  doc: { value: 'What it is', shows: described('What it is') },
  comments: { value: ['What', 'it is'], shows: described('What\nit is') },
  deprecated: {
    value: true,
    async shows (t, { document }) {
      const { schemas } = document().components
      for (const name of ['Note', 'NewNote', 'NotePartial']) t.equal(schemas[name].properties.it.deprecated, true, name)
    }
  },
  applyDefaultOnWrites: {
    value: false, beside: { default: 'x' }, model: { applyDefaultsOnReads: false },
    shows: (t, world) => hasDefault(t, world, false)
  },
  persistDefaultValues: {
    value: false, beside: { default: 'x' }, model: { applyDefaultsOnReads: false },
    shows: (t, world) => hasDefault(t, world, false)
  },
  useDefaultIdType: {
    value: false, beside: { id: true, generated: true },
    async shows (t, { send }) { t.type((await send('POST', '/Notes', {})).body.it, 'string') }
  },
  updateOnly: {
    value: true,
    async shows (t, { document }) {
      const { schemas } = document().components
      t.notOk('it' in (schemas.NewNote.properties ?? {}))
      t.ok('it' in schemas.NotePartial.properties)
    },
    model: { strict: false }
  },
  sealed: {
    value: { searchable: true },
    settings: { sealing: { keys: { a: 'A'.repeat(43) }, searchKey: 'B'.repeat(43) } },
    async shows (t, { Note, send }) {
      const { id } = await Note.create({ it: 'x' })
      const row = await Note.dataSource.connector.findById(Note.compiled.stored, id, { names: ['it'], extra: 'none' }, {})
      t.match(row.it, /^fb1\./, 'it is sealed at rest')
      t.equal((await send('GET', '/Notes?filter={"where":{"it":"x"}}')).body.length, 1)
      t.equal((await send('GET', '/Notes?filter={"order":"it"}')).status, 400)
    }
  },
  readOnly: {
    value: true,
    async shows (t, { send }) { t.equal((await send('POST', '/Notes', { it: 'x' })).status, 422) }
  },
  computed: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'x' })
      t.equal((await send('PATCH', '/Notes/1', { it: 'y' })).status, 422)
      t.equal((await send('PATCH', '/Notes/1', { it: 'x' })).status, 200)
    }
  },
  writeOnce: {
    value: true,
    async shows (t, { send }) {
      t.equal((await send('POST', '/Notes', { it: 'x' })).status, 200)
      t.equal((await send('PATCH', '/Notes/1', { it: 'y' })).status, 422)
    }
  },
  name: column,
  dataType: column,
  dataLength: digits,
  dataPrecision: digits,
  dataScale: digits,
  columnName: column,
  fieldName: column,
  autoIncrement: { refused: true },
  uppercase: { value: true, shows: stores('Ann', 'ANN') },
  lowercase: { value: true, shows: stores('Ann', 'ann') },
  trim: { value: true, shows: stores(' Ann ', 'Ann') },
  itemType: column,
  // In TypeBox it is a keyword of OpenAPI.
  nullable: { refused: true, inJsonAlone: true },
  nestedKey: column,
  acls: {
    value: [{ permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' }],
    async shows (t, { Note }) {
      t.match(Note.settings.acls, [{ permission: 'DENY', property: 'it' }])
    }
  },
  _selectable: { refused: true }
}
