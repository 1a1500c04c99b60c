/** What each key of a definition does that is no setting. */
import type { Part, PartEffect } from './parts.js'
import type { Effect, Loose } from './world.js'

const note = (more: object): PartEffect['definitions'] => [{ name: 'Note', properties: { it: 'string', kind: 'string' }, ...more }]
const status = (method: string, path: string, expected: number): Effect['shows'] =>
  async (t, { send }) => { t.equal((await send(method, path)).status, expected) }

const scope = { where: { kind: 'a' } }
/** Two rows, of which the scope of the model has one. */
const scoped: Effect['shows'] = async (t, { registry, Note, send }) => {
  await registry.dataSources.db.connector.create(Note.compiled, { it: 'x', kind: 'b' }, {})
  t.equal((await send('POST', '/Notes', { it: 'x' })).body.kind, 'a', 'a row that is written is in it')
  t.equal((await send('GET', '/Notes')).body.length, 1)
}
const isHidden: Effect['shows'] = async (t, { Note, send }) => {
  await Note.create({ it: 'x', kind: 'a' })
  t.strictSame((await send('GET', '/Notes/1')).body, { kind: 'a', id: 1 })
}
/** Left out of the row where it is included in another. */
const isProtected: Effect['shows'] = async (t, { models, Note, send }) => {
  await Note.create({ it: 'x', kind: 'a' })
  await models.Page.create({ noteId: 1 })
  t.equal((await send('GET', '/Notes/1')).body.it, 'x')
  t.strictSame((await send('GET', '/Pages/1?filter={"include":"note"}')).body.note, { kind: 'a', id: 1 })
}
const within = (more: object): PartEffect => ({
  shown: ['Page'],
  definitions: [...note(more), { name: 'Page', relations: { note: { type: 'belongsTo', model: 'Note' } } }],
  shows: isProtected
})
const base = (more: object): PartEffect => ({
  prior: [{ name: 'Paper', properties: { ofPaper: 'string' } }],
  definitions: note(more),
  async shows (t, { Note }) { t.ok(Note.compiled.propertyByName.has('ofPaper')) }
})
/** Settings in a block of their own. */
const block = (key: string): PartEffect => ({
  definitions: note({ [key]: { strict: true } }),
  async shows (t, { send }) { t.equal((await send('POST', '/Notes', { other: 1 })).status, 422) }
})

export const definitionParts: Readonly<Record<string, Part>> = {
  $schema: {
    definitions: note({ $schema: '../model.json' }),
    async shows (t, { Note }) { t.notOk('$schema' in Note.settings, 'it is for editors alone') }
  },
  name: { definitions: note({}), async shows (t, { Note }) { t.equal(Note.modelName, 'Note') } },
  base: base({ base: 'Paper' }),
  super: base({ super: 'Paper' }),
  plural: { definitions: note({ plural: 'papers' }), shows: status('GET', '/papers', 200) },
  properties: {
    definitions: note({ strict: true }),
    async shows (t, { send }) { t.equal((await send('POST', '/Notes', { it: 1 })).status, 422) }
  },
  relations: {
    definitions: note({ relations: { parent: { type: 'belongsTo', model: 'Note' } } }),
    async shows (t, { Note, send }) {
      await Note.create([{ it: 'x' }, { parentId: 1 }])
      t.equal((await send('GET', '/Notes/2/parent')).body.it, 'x')
    }
  },
  acls: {
    plugins: ['acl'],
    definitions: note({ acls: [{ permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' }] }),
    shows: status('GET', '/Notes', 401)
  },
  methods: {
    definitions: note({ methods: { greet: { run: async () => {}, http: { verb: 'get' } } } }),
    shows: status('GET', '/Notes/greet', 204)
  },
  mixins: {
    mixins: { Stamp: (Model: Loose, { by }: Loose) => { Model.defineProperty('stamp', { type: 'string', default: by }) } },
    definitions: note({ mixins: { Stamp: { by: 'Ann' } } }),
    async shows (t, { send }) { t.equal((await send('POST', '/Notes', {})).body.stamp, 'Ann') }
  },
  scopes: {
    definitions: note({ scopes: { ofKind: scope } }),
    async shows (t, { Note, send }) {
      await Note.create([{ kind: 'a' }, { kind: 'b' }])
      t.match((await send('GET', '/Notes/ofKind')).body, [{ kind: 'a' }])
      t.equal((await Note.ofKind()).length, 1)
    }
  },
  scope: { definitions: note({ scope }), shows: scoped },
  attributes: {
    definitions: note({ scope: { where: { kind: { inq: ['a', 'b'] } } }, attributes: { kind: 'a' } }),
    async shows (t, { send }) { t.equal((await send('POST', '/Notes', {})).body.kind, 'a') }
  },
  hidden: { definitions: note({ hidden: ['it'] }), shows: isHidden },
  hiddenProperties: { definitions: note({ hiddenProperties: ['it'] }), shows: isHidden },
  protected: within({ protected: ['it'] }),
  protectedProperties: within({ protectedProperties: ['it'] }),
  settings: block('settings'),
  options: block('options'),
  instanceMethods: { provenIn: 'packages/cli/test/commands.test.ts' },
  config: { refused: { strict: true } },
  dataSource: { refused: 'db' },
  public: { refused: true }
}
