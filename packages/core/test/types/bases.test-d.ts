/**
 * Bases, names of models, defaults, open and closed models. Checked by `tsc` alone (`npm run types`): every line below
 * fails to compile when a type is not what it should be.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, Property, type Model, type ModelClass, type Models, type ModelRegistry, type RowType } from '@fastback/core'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const registry: ModelRegistry

const Party = defineModel({
  name: 'BasesParty',
  properties: { name: { type: 'string', required: true }, rating: { type: 'number', default: 0 }, secret: 'string' },
  relations: { deals: { type: 'hasMany', model: 'BasesDeal', foreignKey: 'partyId' } },
  methods: {
    best: { returns: { type: ['BasesParty'], root: true }, async run () { return await this.find({ order: 'rating DESC' }) } },
    'prototype.rate': {
      accepts: Type.Object({ stars: Type.Integer() }),
      async run ({ stars }) { return await this.updateAttribute('rating', stars) }
    }
  }
})
// By name, by definition, by class
const Company = defineModel({
  name: 'BasesCompany',
  base: 'BasesParty',
  excludeBaseProperties: ['secret'],
  properties: { vat: 'string', rating: { type: 'integer' } }
})
const Person = defineModel({ name: 'BasesPerson', base: Party, properties: Type.Object({ born: Type.Date() }) })
const Groups = registry.defineModel({ name: 'BasesGroup', properties: { motto: { type: 'string', required: true } } })
const Club = defineModel({ name: 'BasesClub', base: Groups, idInjection: false, properties: { code: { type: 'string', id: true } } })
const Chapter = defineModel({ name: 'BasesChapter', base: Club, properties: { city: 'string' } })
const Deal = defineModel({ name: 'BasesDeal', properties: Type.Object({ sum: Type.Number() }) })

declare module '@fastback/core' {
  interface ModelTypes {
    BasesParty: typeof Party
    BasesCompany: typeof Company
    BasesPerson: typeof Person
    BasesClub: typeof Club
    BasesChapter: typeof Chapter
    BasesDeal: typeof Deal
  }
}

expect<Equal<RowType<typeof Company>, {
  id: number
  name: string
  rating: number | null
  vat?: string | null
}>>()
expect<Equal<RowType<typeof Person>, {
  id: number
  name: string
  rating: number | null
  secret?: string | null
  born: Date
}>>()
expect<Equal<RowType<typeof Chapter>['code'], string>>()
expect<Equal<RowType<typeof Chapter>['motto'], string>>()
expect<Equal<RowType<typeof Chapter>['city'], string | null | undefined>>()
// @ts-expect-error its own id takes the place of the injected one
use((null as unknown as RowType<typeof Chapter>).id)

async function inherited (People: Model<typeof Person>, Chapters: Model<typeof Chapter>): Promise<void> {
  const person = await People.create({ name: 'Ada', born: new Date() })
  await person.rate({ stars: 5 })
  await person.deals.create({ sum: 5 })
  expect<Equal<Awaited<ReturnType<typeof People.best>>[number]['name'], string>>()
  await People.find({ where: { name: { like: 'A%' }, rating: { gt: 2 } }, include: 'deals' })
  await Chapters.findById('west')
  People.afterRemote('prototype.rate', ctx => { use(ctx.args.stars.toFixed(), ctx.instance.born.getTime()) })
  // @ts-expect-error a required property of the base is missing
  await People.create({ born: new Date() })
  // @ts-expect-error no such property
  await People.find({ where: { nmae: 'x' } })
  // @ts-expect-error ids are texts
  await Chapters.findById(1)
}

/** What is no connected model has no operations. */
async function roots (): Promise<void> {
  const Form = registry.defineModel({ name: 'BasesForm', base: 'Model', strict: true, properties: { text: 'string' } })
  new Form({ text: 'x' }).toJSON()
  // @ts-expect-error not a connected model
  use(Form.find)
  // @ts-expect-error no id
  use(new Form().toJSON().id)
  const Cache = registry.defineModel({ name: 'BasesCache', base: 'KeyValueModel', strict: true })
  await Cache.set('a', 1, { ttl: 1000 })
  const ttl = await Cache.ttl('a')
  expect<Equal<typeof ttl, number | undefined>>()
  Cache.beforeRemote('set', ctx => { use(ctx.args.key.length) })
  // @ts-expect-error not a connected model
  use(Cache.create)
}

/** `app.models` has the names that `ModelTypes` has. */
function names (models: Models): void {
  use(models.BasesDeal.find, registry.getModel('BasesDeal').create)
  expect<Equal<ReturnType<typeof registry.getModel<'BasesDeal'>>, Model<typeof Deal>>>()
  expect<Equal<ReturnType<typeof registry.findModel>, ModelClass | undefined>>()
  // @ts-expect-error no such model
  use(models.BasesDael)
}

/** Defaults are there in rows, and need not be given. */
async function defaults (): Promise<void> {
  const Job = registry.defineModel({
    name: 'BasesJob',
    properties: Type.Object({
      state: Property(Type.Optional(Type.String()), { default: 'new' }),
      at: Property(Type.Date(), { defaultFn: 'now' }),
      note: Type.Optional(Type.String())
    })
  })
  const job = await Job.create({})
  expect<Equal<typeof job.state, string>>()
  expect<Equal<typeof job.at, Date>>()
  expect<Equal<typeof job.note, string | undefined>>()
}

/** A TypeBox object is closed, `strict: false` opens a model, and what says nothing keeps its names checked. */
async function open (): Promise<void> {
  const Closed = registry.defineModel({ name: 'BasesClosed', properties: Type.Object({ title: Type.String() }) })
  const Shut = registry.defineModel({ name: 'BasesShut', strict: true, properties: { title: 'string' } })
  const Open = registry.defineModel({ name: 'BasesOpen', strict: false, properties: { title: { type: 'string', required: true } } })
  // @ts-expect-error closed
  await Closed.create({ title: 'x', more: 1 })
  // @ts-expect-error closed
  await Shut.find({ where: { more: 1 } })
  // @ts-expect-error closed
  Shut.more = 1
  const row = await Open.create({ title: 'x', more: 1 })
  expect<Equal<typeof row.title, string>>()
  const more: unknown = row.more
  await Open.find({ where: { more: 1 }, order: 'more DESC' })
  // @ts-expect-error what is declared has its type
  await Open.create({ title: 1 })
  use(more)
}

use(inherited, roots, names, defaults, open)
