/**
 * Methods that work on rows of their own model, through callbacks whose results are inferred (`map`, `reduce`), beside
 * methods whose results are named by model. Checked by `tsc` alone (`npm run types`), in TypeScript 5.9 and 7.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, type Instance, type ModelRegistry, type Models } from '@fastback/core'

declare const registry: ModelRegistry
declare module '@fastback/core' {
  interface ModelTypes {
    RowsVisit: typeof Visit
    RowsPet: typeof Pet
    RowsOwner: typeof Owner
    RowsGuest: typeof Guest
    RowsVet: typeof Vet
    RowsLog: typeof Log
  }
}
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}

/** Used before any of them is there. */
export async function before ({ RowsVisit, RowsVet }: Models): Promise<number> {
  const [visit] = await RowsVisit.open()
  return (await RowsVisit.income()).sum + (visit?.fee ?? 0) + (await RowsVet.busiest())
}

/** No arguments, a TypeBox result; its own model by name, a list and a row; both use callbacks. */
const Visit = defineModel({
  name: 'RowsVisit',
  properties: Type.Object({
    fee: Type.Number(), state: Type.Union([Type.Literal('open'), Type.Literal('done')]), at: Type.Optional(Type.Date())
  }),
  relations: { pet: { type: 'belongsTo', model: 'RowsPet' }, vet: { type: 'belongsTo', model: 'RowsVet' } },
  methods: {
    income: {
      returns: Type.Object({ sum: Type.Number() }),
      http: { verb: 'get', path: '/income' },
      async run () {
        const rows = await this.find({ where: { state: 'done' } })
        return { sum: rows.reduce((s, { fee }) => s + fee, 0) }
      }
    },
    open: {
      returns: { arg: 'visits', type: ['RowsVisit'], root: true },
      http: { verb: 'get', path: '/open' },
      async run () { return await this.find({ where: { state: 'open' } }) }
    },
    dearest: {
      returns: { arg: 'visit', type: 'RowsVisit', root: true },
      http: { verb: 'get', path: '/dearest' },
      async run () {
        const rows = await this.find()
        return rows.toSorted((a, b) => b.fee - a.fee)[0]
      }
    }
  }
})

/** Untyped arguments, typed ones, a list of arguments; results of models that lead back, of TypeBox, and unsaid. */
const Pet = defineModel({
  name: 'RowsPet',
  properties: { name: { type: 'string', required: true }, born: 'date', weight: { type: 'number', required: true } },
  relations: {
    visits: { type: 'hasMany', model: 'RowsVisit', foreignKey: 'petId' },
    owner: { type: 'belongsTo', model: 'RowsOwner' }
  },
  methods: {
    names: {
      returns: Type.Array(Type.String()),
      async run (_args, { options }) {
        const rows = await this.find({ order: 'name' }, options)
        return rows.map(({ name }) => name)
      }
    },
    heavy: {
      accepts: Type.Object({ than: Type.Number() }),
      returns: { arg: 'pets', type: ['RowsPet'], root: true },
      http: { verb: 'get' },
      async run ({ than }, { options }) {
        const rows = await this.find({ where: { weight: { gt: than } } }, options)
        return rows.filter(each => each.weight > than && each.name !== '')
      }
    },
    visited: {
      accepts: [{ arg: 'since', type: 'date', required: true }, { arg: 'limit', type: 'number' }],
      returns: { arg: 'visits', type: ['RowsVisit'], root: true },
      http: { verb: 'post' },
      async run ({ since, limit }) {
        const rows = await this.find({ include: 'visits', limit: limit ?? 10 })
        return rows.flatMap(each => each.visits().filter(({ at }) => at !== undefined && at > since))
      }
    },
    byWeight: {
      async run () {
        const rows = await this.find()
        return new Map(rows.map(each => [each.weight, each.name] as const))
      }
    },
    'prototype.total': {
      returns: Type.Object({ sum: Type.Number() }),
      async run () {
        const visits = await this.visits.find({ where: { state: 'done' } })
        return { sum: visits.reduce((s, { fee }) => s + fee, this.weight) }
      }
    },
    'prototype.last': {
      returns: { arg: 'visit', type: 'RowsVisit', root: true },
      async run () {
        const visits = await this.visits.find()
        return visits.findLast(({ state }) => state === 'done')
      }
    }
  }
})

/** A circle of models by name, each with callbacks; methods that call those beside them. */
const Owner = defineModel({
  name: 'RowsOwner',
  properties: Type.Object({ name: Type.String(), debts: Type.Optional(Type.Array(Type.Number())) }),
  relations: { pets: { type: 'hasMany', model: 'RowsPet', foreignKey: 'ownerId' } },
  methods: {
    pets: {
      returns: { arg: 'pets', type: ['RowsPet'], root: true },
      async run () {
        const rows = await this.find({ include: { pets: 'visits' } })
        return rows.flatMap(each => each.pets())
      }
    },
    debt: {
      returns: Type.Object({ sum: Type.Number(), names: Type.Array(Type.String()) }),
      async run () {
        const rows = await this.find()
        const sum = rows.flatMap(({ debts }) => debts ?? []).reduce((a, b) => a + b, 0)
        return { sum, names: rows.map(({ name }) => name) }
      }
    },
    summary: {
      accepts: Type.Object({ top: Type.Integer() }),
      returns: Type.Object({ text: Type.String() }),
      async run ({ top }) {
        const [{ sum, names }, pets] = await Promise.all([this.debt(), this.pets()])
        return { text: `${sum}: ${names.slice(0, top).join()} ${pets.map(pet => pet.weight.toFixed()).join()}` }
      }
    },
    'prototype.sum': {
      returns: Type.Object({ sum: Type.Number() }),
      async run () {
        const pets = await this.pets.find()
        const sums = await Promise.all(pets.map(async pet => (await pet.total()).sum))
        return { sum: sums.reduce((a, b) => a + b, 0) }
      }
    }
  }
})

/** A class inherits them, and has others beside them. */
const Guest = defineModel({
  name: 'RowsGuest',
  base: 'RowsOwner',
  properties: Type.Object({ until: Type.Date() }),
  methods: {
    leaving: {
      returns: { arg: 'guests', type: ['RowsGuest'], root: true },
      async run () {
        const rows = await this.find()
        return rows.filter(({ until, name }) => until < new Date() && name !== '')
      }
    },
    names: {
      returns: Type.Array(Type.String()),
      async run () {
        const rows = await this.find({ include: 'pets' })
        return rows.map(row => `${row.name} ${row.until.getTime()} ${row.pets().map(({ name }) => name).join()}`)
      }
    }
  }
})

/** Functions as properties, with several results of functions in one. */
const Vet = defineModel({
  name: 'RowsVet',
  properties: { name: 'string' },
  relations: { visits: { type: 'hasMany', model: 'RowsVisit', foreignKey: 'vetId' } },
  methods: {
    busiest: {
      returns: { arg: 'count', type: 'number', root: true },
      run: async function () {
        const rows = await this.find({ include: 'visits' })
        return Math.max(...rows.map(each => each.visits().length))
      }
    },
    all: {
      returns: { arg: 'vets', type: ['RowsVet'], root: true },
      run: async function (_args, context) {
        const rows = await this.find({}, context.options)
        return rows.filter(({ name }) => typeof name === 'string')
      }
    }
  }
})

/** A registry's own `defineModel`. */
const Logs = registry.defineModel({
  name: 'RowsLog',
  strict: true,
  properties: { text: { type: 'string', required: true }, size: { type: 'number', required: true } },
  methods: {
    size: {
      returns: Type.Object({ sum: Type.Number() }),
      async run () { return { sum: (await this.find()).reduce((s, { size }) => s + size, 0) } }
    },
    texts: { async run () { return (await this.find()).map(({ text }) => text) } },
    visits: {
      returns: { arg: 'visits', type: ['RowsVisit'], root: true },
      async run () { return (await this.find()).map(({ text }) => text) }
    }
  }
})
const Log = defineModel({ name: 'RowsLog', properties: {} })

/** What callers get. */
async function after ({ RowsVisit, RowsPet, RowsOwner, RowsGuest, RowsVet }: Models): Promise<void> {
  const income = await RowsVisit.income()
  expect<Equal<typeof income, { sum: number }>>()
  expect<Equal<Awaited<ReturnType<typeof RowsVisit.open>>, Array<Instance<typeof Visit>>>>()
  const names = await RowsPet.names()
  expect<Equal<typeof names, string[]>>()
  expect<Equal<Awaited<ReturnType<typeof RowsPet.visited>>[number]['fee'], number>>()
  expect<Equal<Awaited<ReturnType<typeof RowsPet.byWeight>>, Map<number, string>>>()
  const [pet] = await RowsPet.heavy({ than: 5 })
  const total = await pet?.total()
  expect<Equal<typeof total, { sum: number } | undefined>>()
  expect<Equal<Awaited<ReturnType<NonNullable<typeof pet>['last']>>['state'], 'open' | 'done'>>()
  expect<Equal<Awaited<ReturnType<typeof RowsOwner.pets>>[number]['weight'], number>>()
  const summary = await RowsOwner.summary({ top: 1 })
  expect<Equal<typeof summary, { text: string }>>()
  expect<Equal<Awaited<ReturnType<typeof RowsGuest.leaving>>[number]['until'], Date>>()
  const debt = await RowsGuest.debt()
  expect<Equal<typeof debt.names, string[]>>()
  expect<Equal<Awaited<ReturnType<typeof RowsVet.busiest>>, number>>()
  const texts = await Logs.texts()
  expect<Equal<typeof texts, string[]>>()
  // @ts-expect-error no such argument
  await RowsPet.heavy({ then: 5 })
  // @ts-expect-error no such member of the result
  use(income.total)
}
use(after)

/** What is wrong in them is an error there. */
defineModel({
  name: 'RowsWrong',
  properties: Type.Object({ fee: Type.Number() }),
  methods: {
    sum: {
      returns: Type.Object({ sum: Type.Number() }),
      async run () {
        const rows = await this.find()
        // @ts-expect-error no such property
        return { sum: rows.reduce((s, { fees }) => s + fees, 0) }
      }
    },
    texts: {
      async run () {
        // @ts-expect-error no such property in a condition
        const rows = await this.find({ where: { fees: 1 } })
        // @ts-expect-error a number is no text
        return rows.map(({ fee }) => fee.trim())
      }
    },
    visits: {
      returns: { arg: 'visits', type: ['RowsVisit'], root: true },
      async run () { return (await this.find()).map(({ fee }) => fee) }
    }
  }
})
defineModel({
  name: 'RowsWrongResult',
  properties: Type.Object({ fee: Type.Number() }),
  // @ts-expect-error texts, and numbers were promised
  methods: {
    fees: {
      returns: Type.Array(Type.Number()),
      async run () {
        const rows = await this.find()
        return rows.map(({ fee }) => fee.toFixed())
      }
    },
    visits: { returns: { arg: 'visits', type: ['RowsVisit'], root: true }, async run () { return await this.find() } }
  }
})
