/**
 * Methods of one definition, and of models that lead to each other, use `this` without written result types. Checked by
 * `tsc` alone (`npm run types`), in TypeScript 5.9 and 7.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, type ModelRegistry, type Models } from '@fastback/core'
declare const registry: ModelRegistry
declare module '@fastback/core' { interface ModelTypes { TwoA: typeof A, TwoB: typeof B, TwoC: typeof C } }
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
export const A = defineModel({
  name: 'TwoA',
  properties: Type.Object({ title: Type.String(), done: Type.Optional(Type.Boolean()), state: Type.Union([Type.Literal('x'), Type.Literal('y')]) }),
  relations: { bs: { type: 'hasMany', model: 'TwoB', foreignKey: 'aId' }, parent: { type: 'belongsTo', model: 'TwoA' } },
  methods: {
    one: {
      accepts: Type.Object({ x: Type.Integer() }),
      returns: Type.Object({ count: Type.Integer() }),
      async run ({ x }, { options }) {
        const rows = await this.find({ where: { title: String(x), parentId: 1 }, include: 'bs' }, options)
        return { count: await this.count({ title: String(x) }, options) + rows.length }
      }
    },
    two: {
      accepts: Type.Object({ y: Type.Integer() }),
      returns: Type.Object({ count: Type.Integer() }),
      async run ({ y }, { options }) {
        const { count } = await this.one({ x: y }, options)
        return { count }
      }
    },
    'prototype.three': {
      returns: { arg: 'task', type: 'TwoA', root: true },
      async run (_args, { options }) {
        this.done = true
        const b = await this.bs.create({ text: 'x' }, options)
        await b.nine()
        return await this.save(options)
      }
    },
    'prototype.four': {
      async run () {
        this.done = true
        await this.save()
      }
    },
    all: { returns: { arg: 'rows', type: ['TwoA'], root: true }, async run () { return await this.find() } },
    lit: { returns: Type.Object({ state: Type.Union([Type.Literal('x'), Type.Literal('y')]) }), async run () { return { state: 'x' } } },
    five: { async run () { return await this.find() } },
    six: { async run () { return await this.six() } },
    seven: { async run () { const r = await this.five(); return r } }
  }
})
export const B = defineModel({
  name: 'TwoB',
  properties: Type.Object({ text: Type.String() }),
  relations: { a: { type: 'belongsTo', model: 'TwoA', foreignKey: 'aId' }, cs: { type: 'hasMany', model: 'TwoC', foreignKey: 'bId' } },
  methods: {
    'prototype.nine': { returns: Type.Object({ ok: Type.Boolean() }), async run () { await this.a.get(); await this.cs.find(); return { ok: true } } },
    mine: { returns: { arg: 'rows', type: ['TwoB'], root: true }, async run () { return await this.find({ where: { aId: 1 }, include: ['a', 'cs'] }) } }
  }
})
export const C = defineModel({
  name: 'TwoC',
  properties: { n: 'number' },
  relations: { b: { type: 'belongsTo', model: 'TwoB' } },
  methods: {
    x: { returns: { arg: 'a', type: 'string', root: true }, async run () { const [c] = await this.find({ include: 'b' }); return c?.b()?.text ?? '' } },
    y: { async run () { const [c] = await this.find({ where: { bId: 1 } }); return c?.n } }
  }
})
const As = registry.defineModel(A)
export async function f ({ TwoB, TwoC }: Models) {
  const x = await As.two({ y: 1 })
  expect<Equal<typeof x, { count: number }>>()
  const s = await As.lit()
  expect<Equal<typeof s, { state: 'x' | 'y' }>>()
  const all = await As.all()
  const t: string | undefined = all[0]?.title
  const b = await TwoB.mine()
  const u: string | undefined = b[0]?.text
  const n = await TwoC.y()
  expect<Equal<typeof n, number | null | undefined>>()
  const five = await As.five()
  return [t, u, five[0]?.title]
}
