import type { SuiteCase } from '../suite-case.js'

type Table = ReadonlyArray<readonly [where: object, ids: readonly number[]]>

const lists: Table = [
  [{ labels: 'green' }, [2]],
  [{ labels: 'paper' }, [6, 8]],
  [{ labels: 'nothing' }, []],
  [{ labels: { inq: ['aged', 'white'] } }, [3, 5]],
  [{ labels: { like: '%or%' } }, [5]],
  [{ labels: { neq: 'paper' } }, [1, 2, 3, 4, 5, 7]],
  [{ labels: { nin: ['paper', 'green'] } }, [1, 3, 4, 5, 7]],
  [{ labels: { nlike: '%a%' } }, [2, 4, 7]],
  [{ labels: ['paper', 'gift'] }, [8]],
  [{ labels: ['gift', 'paper'] }, []],
  [{ labels: { exists: true } }, [1, 2, 3, 4, 5, 6, 8]],
  [{ sizes: 250 }, [1]],
  [{ sizes: '250' }, [1]],
  [{ sizes: { gt: 200 } }, [1, 4]],
  [{ sizes: { between: [1, 50] } }, [2, 6]],
  [{ sizes: { gt: 60, lt: 120 } }, [1]],
  [{ extra: 'two' }, [8]]
]

const paths: Table = [
  [{ 'dims.w': 10 }, [1]],
  [{ 'dims.w': { lt: 10 } }, [2, 4]],
  [{ 'dims.box.depth': { gte: 4 } }, [1, 2]],
  [{ 'meta.origin': 'Japan' }, [2]],
  [{ 'meta.origin': { inq: ['India', 'China'] } }, [1, 3]],
  [{ 'meta.origin': { like: '%an%' } }, [2]],
  [{ 'meta.grade.leaf': 'TGFOP' }, [1]],
  [{ 'meta.none.at.all': 'x' }, []],
  [{ 'parts.k': 3 }, [2]],
  [{ 'parts.k': { lt: 3 } }, [1]],
  [{ 'parts.k': { neq: 3 } }, [1, 3, 4, 5, 6, 7, 8]],
  [{ 'parts.tags': 'y' }, [1]],
  [{ 'parts.0.k': 1 }, [1]],
  [{ 'parts.1.k': 1 }, []],
  [{ 'parts.1.k': 2 }, [1]],
  [{ 'extra.lid': true }, [5]],
  [{ 'extra.size': 2 }, [5]],
  [{ 'spot.lat': { gt: 60 } }, [3, 4]]
]

const whole: Table = [
  [{ meta: { origin: 'Japan' } }, [2]],
  [{ meta: { grade: { leaf: 'TGFOP' }, origin: 'India' } }, [1]],
  [{ meta: { origin: 'India' } }, []],
  [{ meta: { neq: { origin: 'Japan' } } }, [1, 3, 4, 5, 6, 7, 8]],
  [{ extra: { size: [1, 2], lid: true } }, [5]],
  [{ extra: { size: [2, 1], lid: true } }, []],
  [{ parts: { k: 2 } }, [1]],
  [{ dims: { w: 9 } }, [4]]
]

const caseOf = (name: string, rows: Table): SuiteCase => ({
  name,
  async run (t, store) {
    await store.seed()
    for (const [where, ids] of rows) t.same(await store.ids(where), ids, JSON.stringify(where))
  }
})

export const arrayCases: readonly SuiteCase[] = [
  caseOf('a list matches when an element does', lists),
  caseOf('paths walk into objects and into the elements of lists', paths),
  caseOf('objects and lists compare as a whole, whatever the order of keys', whole)
]
