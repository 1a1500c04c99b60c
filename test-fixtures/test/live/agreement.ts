/** Random filters, random writes, and readers that are cut: what is compared by the tests of agreement. */
import type { Test } from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { remoteOptions } from '@fastback/core/remote'
import { openLiveQuery } from '@fastback/core/live'
import { Reader } from './reader.js'

type Loose = any
type Models = Record<string, Loose>

export const definitions = [
  {
    name: 'Task',
    forceId: false,
    properties: {
      id: { type: 'number', id: true }, title: 'string', stars: 'number', done: 'boolean', at: 'date', ownerId: 'number'
    },
    relations: { owner: { type: 'belongsTo', model: 'Owner', foreignKey: 'ownerId' } }
  },
  { name: 'Owner', forceId: false, properties: { id: { type: 'number', id: true }, name: 'string' } }
]

/** A generator of numbers that a seed repeats. */
export function random (seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}

export type Random = ReturnType<typeof random>
const titles = ['a', 'b', 'c', 'Ä', 'z']
const one = <T>(next: Random, list: readonly T[]): T => list[next(list.length)] as T

function condition (next: Random): object {
  return one(next, [
    {}, { done: true }, { stars: { gt: next(5) } }, { title: { inq: [one(next, titles), one(next, titles)] } },
    { or: [{ done: false }, { stars: next(5) }] }, { stars: { neq: next(5) } }, { title: null },
    { 'owner.name': one(next, ['x', 'y']) }, { title: { like: 'a%' } }
  ])
}

export function filter (next: Random): object {
  const order = one(next, [undefined, 'stars', 'stars DESC', ['title', 'stars DESC'], 'at DESC', 'id DESC', 'owner.name'])
  const limit = next(4) === 0 ? undefined : 1 + next(6)
  return {
    where: condition(next),
    ...order === undefined ? {} : { order },
    ...limit === undefined ? {} : { limit, skip: next(3) },
    ...next(4) === 0 ? { fields: ['title', 'stars'] } : {},
    ...next(4) === 0 ? { include: 'owner' } : {}
  }
}

export const values = (next: Random): object => ({
  title: next(4) === 0 ? null : one(next, titles), stars: next(5), done: next(2) === 0,
  at: new Date(1e12 + next(20)), ownerId: 1 + next(3)
})

export async function write ({ Task, Owner }: Models, next: Random): Promise<void> {
  const id = 1 + next(14)
  switch (next(9)) {
    case 0: case 1: await Task.create({ id, ...values(next) }); break
    case 2: await Task.upsert({ id, ...values(next) }); break
    case 3: await Task.updateAll({ stars: next(5) }, { stars: next(5) }); break
    case 4: await Task.destroyAll({ id: { inq: [id, id + 1] } }); break
    case 5: await Owner.upsert({ id: 1 + next(3), name: one(next, ['x', 'y']) }); break
    case 6: await Task.replaceOrCreate({ id, ...values(next) }); break
    default: await Task.patchById(id, next(2) === 0 ? { stars: next(5) } : values(next))
  }
}

export interface Run {
  readonly seed: number
  readonly filters: readonly object[]
  readonly readers: readonly Reader[]
}

/**
 * Writers at once, and readers that are cut.
 * @param processes the models of each: writers and readers take turns
 */
export async function run (processes: readonly Models[], seed: number, writers: number, writes: number): Promise<Run> {
  const next = random(seed)
  const filters = Array.from({ length: 3 }, () => filter(next))
  const at = (i: number): Models => processes[i % processes.length] as Models
  const readers = filters.map((each, i) => new Reader(after =>
    openLiveQuery(at(i).Task, each, next(2) === 0 ? {} : remoteOptions({}), after)))
  for (const each of readers) await each.start()
  await Promise.all(Array.from({ length: writers }, async (_, i) => {
    const own = random(seed * 31 + i)
    for (let n = 0; n < writes; n++) {
      await writeOnce(at(i), own)
      if (own(6) === 0) await one(own, readers).again()
      if (own(4) === 0) await wait(own(30))
    }
  }))
  return { seed, filters, readers }
}

/** Two who make one row at once are told so. */
async function writeOnce (models: Models, next: Random): Promise<void> {
  await write(models, next).catch((error: Loose) => { if (!(error.statusCode < 500)) throw error })
}

/** Once nobody writes any more. */
export async function compare (t: Test, Task: Loose, { seed, filters, readers }: Run): Promise<void> {
  for (const [i, reader] of readers.entries()) {
    const wanted: unknown = JSON.parse(JSON.stringify(await Task.find(filters[i])))
    for (let n = 0; n < 300 && !isDeepStrictEqual(reader.rows, wanted); n++) await wait(10)
    if (!isDeepStrictEqual(reader.rows, wanted)) {
      t.strictSame(reader.rows, wanted, `seed ${seed}: ${JSON.stringify(filters[i])} ${reader.events.join()}`)
    }
    reader.cut()
  }
}
