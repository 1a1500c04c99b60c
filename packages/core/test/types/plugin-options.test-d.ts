/**
 * Options of `app.register(core, …)`: definitions that are written there are checked as those of `defineModel`. Checked
 * by `tsc` alone (`npm run types`), in TypeScript 5.9 and 7.
 *
 * What no type can know there: texts of a file in JSON, and others that are no literals (the start checks them);
 * whether `models` names a model, and a data source, that there is; a definition beside the one that another extends.
 */
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, type FastifyPluginCallback } from 'fastify'
import { core, defineModel, ModelRegistry, type CoreOptions, type ModelDefinitionInput } from '@fastback/core'
import note from './plugin-note.json' with { type: 'json' }

const use = (..._values: unknown[]): void => {}
declare const app: FastifyInstance
declare const word: string
declare const words: string[]
declare const rules: Array<{ principalType: string, principalId: string, permission: string, property: string }>
declare const given: CoreOptions
declare const inputs: ModelDefinitionInput[]
declare module '@fastback/core' { interface ModelTypes { PluginTyped: typeof Typed, PluginOwner: typeof Owner } }

const Typed = defineModel({
  name: 'PluginTyped',
  properties: Type.Object({ title: Type.String() }),
  methods: { total: { returns: Type.Object({ n: Type.Number() }), async run () { return { n: await this.count() } } } }
})
const Owner = defineModel({ name: 'PluginOwner', properties: { name: 'string' } })
const list = [Typed, Owner, note]

/** What is right. */
async function right (): Promise<void> {
  await app.register(core)
  await app.register(core, {})
  await app.register(core, { registry: new ModelRegistry(), settings: { modelDefinitions: 'refuse' }, bus: 'auto' })
  await app.register(core, given)
  await app.register(core, { ...given, definitions: [note] })
  await app.register(core, { definitions: inputs })
  await app.register(core, { definitions: [Typed, Owner, note, ...inputs] })
  await app.register(core, { definitions: list, models: { PluginTyped: { dataSource: null, public: false } } })
  await app.register(core, () => ({ definitions: [Owner, { name: 'PluginMade', properties: { a: word } }] }))
  await app.register(import('@fastback/core'), { definitions: [Owner, { ...note, name: 'PluginCopy' }] })
  await app.register(core, {
    dataSources: { db: { connector: 'memory' } },
    definitions: [
      {
        name: 'PluginNote',
        strict: 'filter',
        properties: { title: { type: 'string', required: true }, tags: ['string'], at: 'date', owner: 'PluginOwner' },
        relations: { owner: { type: 'belongsTo', model: 'PluginOwner', onDelete: 'cascade' } },
        acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', accessType: 'READ', property: 'find' }],
        hidden: ['title', 'ownerId'],
        scopes: { last: { where: { title: 'x' }, order: 'title DESC', include: 'owner' } },
        indexes: { byTitle: { keys: { title: 1 } } },
        methods: { go: { http: { verb: 'get' }, accessType: 'READ', returns: { arg: 'a', type: 'string' } } }
      },
      // What is worked out, or read, is any text.
      {
        name: 'PluginWords',
        properties: { a: word, b: { type: word }, c: [word] },
        relations: { a: { type: word, model: word, onDelete: word } },
        acls: [
          { principalType: word, principalId: word, permission: word, accessType: word, property: [word, 'find'] },
          ...rules,
          { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: [...words, 'find'] }
        ],
        hidden: [...words, 'a'],
        protected: words,
        scopes: {
          a: { order: word, include: [word], fields: [word] },
          b: { order: [word, 'a DESC', `${word} ASC`], include: { relation: word }, fields: word }
        },
        indexes: { a: { columns: word } },
        methods: { go: { http: { verb: word }, accessType: word, accepts: { arg: 'a', type: word }, returns: { arg: 'b', type: [word] } } }
      },
      { ...given.definitions?.[0], name: 'PluginSpread' },
      { name: 'PluginBased', base: word, properties: {}, hidden: ['any'] },
      { name: 'PluginBox', base: 'PluginTyped', properties: Type.Object({ size: Type.Number() }), hidden: ['title'] }
    ],
    models: { PluginNote: { dataSource: 'db' }, PluginBox: { dataSource: 'db', options: { maxLimit: 5 } } }
  })
  // Of other plugins nothing changes: functions get the types of their parameters from where they stand.
  const typed: FastifyPluginAsync<{ size: number }> = async () => {}
  const called: FastifyPluginCallback<{ size?: number }> = (_app, _options, done) => { done() }
  await app.register(typed, { size: 5, prefix: '/a' })
  await app.register(called, { size: 5 })
  await app.register(async (child, { prefix }) => { use(child.models, prefix.length) }, { prefix: '/b' })
  await app.register(async (child, { size }) => { await child.register(core, given); use(size.toFixed()) }, { size: 5 })
  const logged = Fastify({ loggerInstance: {} as FastifyBaseLogger & { extra: () => void } })
  await logged.register(core, { definitions: [Owner] })
  logged.log.extra()
}

const definition = {
  relation: { name: 'PluginW', properties: {}, relations: { a: { type: 'hasmany', model: 'PluginOwner' } } },
  permission: { name: 'PluginW', properties: {}, acls: [{ principalId: 'x', permission: 'allow' }] }
} as const

/** What is wrong. */
async function wrong (): Promise<void> {
  // @ts-expect-error no such option
  await app.register(core, { defintions: [] })
  // @ts-expect-error no such option beside others
  await app.register(core, { models: {}, mixin: {} })
  // @ts-expect-error definitions are a list
  await app.register(core, { definitions: Typed })
  // @ts-expect-error a definition has a name
  await app.register(core, { definitions: [{ properties: {} }] })
  // @ts-expect-error a name is a text
  await app.register(core, { models: { PluginNote: { dataSource: 5 } } })
  // @ts-expect-error no such key of a model's place
  await app.register(core, { models: { PluginNote: { dataSource: 'db', publc: true } } })
  // @ts-expect-error neither true nor false
  await app.register(core, { models: { PluginNote: { dataSource: 'db', public: 'yes' } } })
  // @ts-expect-error a data source is needed
  await app.register(core, { models: { PluginNote: { public: true } } })
  // @ts-expect-error a folder's name is a text
  await app.register(core, { baseDir: 5 })
  // @ts-expect-error no registry
  await app.register(core, { registry: {} })
  // @ts-expect-error no function that makes a connector
  await app.register(core, { connectors: { memory: 'memory' } })
  // @ts-expect-error a mixin is a function
  await app.register(core, { mixins: { TimeStamp: true } })
  // @ts-expect-error a data source has a connector's name, or a connector
  await app.register(core, { dataSources: { db: { connector: 5 } } })
  // @ts-expect-error no such kind of relation
  await app.register(core, { definitions: [{ name: 'PluginW1', properties: {}, relations: { a: { type: 'hasmany', model: 'PluginOwner' } } }] })
  // @ts-expect-error no such model
  await app.register(core, { definitions: [{ name: 'PluginW2', properties: {}, relations: { a: { type: 'hasMany', model: 'PluginOnwer' } } }] })
  // @ts-expect-error no such permission
  await app.register(core, { definitions: [{ name: 'PluginW3', properties: {}, acls: [{ principalId: 'x', permission: 'ALOW' }] }] })
  // @ts-expect-error no such kind of access
  await app.register(core, { definitions: [{ name: 'PluginW4', properties: {}, acls: [{ principalId: 'x', permission: 'DENY', accessType: 'REED' }] }] })
  // @ts-expect-error no such kind of principal
  await app.register(core, { definitions: [{ name: 'PluginW5', properties: {}, acls: [{ principalType: 'ROEL', principalId: 'x', permission: 'DENY' }] }] })
  // @ts-expect-error no such type
  await app.register(core, { definitions: [{ name: 'PluginW6', properties: { a: 'strng' } }] })
  // @ts-expect-error no such type, of the second one
  await app.register(core, { definitions: [Owner, { name: 'PluginW7', properties: { a: { type: 'strng' } } }] })
  // @ts-expect-error none of its words
  await app.register(core, { definitions: [{ name: 'PluginW8', properties: {}, strict: 'fitler' }] })
  // @ts-expect-error no such property
  await app.register(core, { definitions: [{ name: 'PluginW9', properties: { a: 'string' }, hidden: ['b'] }] })
  // @ts-expect-error no such property of a TypeBox object
  await app.register(core, { definitions: [{ name: 'PluginW10', properties: Type.Object({ a: Type.String() }), protected: ['b'] }] })
  // @ts-expect-error no such property to order by
  await app.register(core, { definitions: [{ name: 'PluginW11', properties: { a: 'string' }, scopes: { x: { order: 'b DESC' } } }] })
  // @ts-expect-error no such property of an index
  await app.register(core, { definitions: [{ name: 'PluginW12', properties: { a: 'string' }, indexes: { x: { keys: { b: 1 } } } }] })
  // @ts-expect-error no such method
  await app.register(core, { definitions: [{ name: 'PluginW13', strict: true, properties: {}, acls: [{ principalId: 'x', permission: 'DENY', property: 'fnd' }] }] })
  // @ts-expect-error no such property beside names that are worked out
  await app.register(core, { definitions: [{ name: 'PluginW17', properties: { a: 'string' }, hidden: [...words, 'b'] }] })
  // @ts-expect-error no such permission beside rules that are worked out
  await app.register(core, { definitions: [{ name: 'PluginW18', properties: {}, acls: [...rules, { principalId: 'x', permission: 'ALOW' }] }] })
  // @ts-expect-error no such verb
  await app.register(core, { definitions: [{ name: 'PluginW14', properties: {}, methods: { go: { http: { verb: 'gte' } } } }] })
  // @ts-expect-error no such kind, where a function gives the options
  await app.register(core, () => ({ definitions: [{ name: 'PluginW15', properties: {}, relations: { a: { type: 'hasmany', model: 'PluginOwner' } } }] }))
  // @ts-expect-error no such kind, where the plugin is loaded
  await app.register(import('@fastback/core'), { definitions: [definition.relation] })
  // @ts-expect-error no such permission, of a constant
  await app.register(core, { definitions: [definition.permission] })
  // @ts-expect-error a word that no file says: the literal beside a file's texts
  await app.register(core, { definitions: [{ ...note, name: 'PluginW16', strict: 'fitler' }] })
}
use(right, wrong)
