import t from 'tap'
import fc from 'fast-check'
import type { Row } from '@fastback/core'
import { compileCondition, compileOrder, defaultQueryLimits, parseFilter, projectRow, writeValue } from '@fastback/core/connector'
import { memoryConnector } from '@fastback/connector-memory'
import { randomFilter, randomModel, randomRows, SuiteStore } from '@fastback/connector-tests'

const context = { dataSource: 'db', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }

t.test('indexes, early stops and the best few give what a full scan and sort give', async t => {
  const scenario = randomModel('Random').chain(model => fc.record({
    model: fc.constant(model), rows: randomRows(model),
    filters: fc.array(randomFilter(model), { minLength: 20, maxLength: 20 })
  }))
  await fc.assert(
    fc.asyncProperty(scenario, fc.integer({ min: 1, max: 8 }), async ({ model, rows, filters }, times) => {
      const store = new SuiteStore(memoryConnector({ connector: 'memory' }, context), [model.definition])
      await store.start()
      const stored = await store.createMany('Random', Array.from({ length: times }, () => rows).flat())
      const compiled = store.model('Random')
      for (const filter of filters) {
        const { where, order, limit, skip, select } = parseFilter(compiled, filter, {
          external: false,
          limits: defaultQueryLimits
        })
        const end = limit === undefined ? undefined : skip + limit
        const expected: Row[] = stored
          .filter(compileCondition(where))
          .sort(compileOrder(order, compiled))
          .slice(skip, end)
        t.same(
          await store.find('Random', filter),
          expected.map(row => projectRow(row, select, compiled)),
          String(writeValue(filter))
        )
      }
    }),
    { numRuns: 40 }
  )
})

t.test('rows stay sorted and indexed through any sequence of writes', async t => {
  const write = fc.oneof(
    fc.record({
      kind: fc.constant('create'), id: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
      team: fc.constantFrom('a', 'b', null), number: fc.integer({ min: 1, max: 3 })
    }),
    fc.record({
      kind: fc.constantFrom('update', 'replace', 'delete'), id: fc.integer({ min: 1, max: 30 }),
      team: fc.constantFrom('a', 'b', null), number: fc.integer({ min: 1, max: 3 })
    })
  )
  await fc.assert(fc.asyncProperty(fc.array(write, { maxLength: 60 }), async writes => {
    const store = new SuiteStore(memoryConnector({ connector: 'memory' }, context))
    await store.start()
    const expected = new Map<number, Row>()
    const taken = (id: number, { team, number }: Row): boolean =>
      team !== null && [...expected.values()].some(row => row.id !== id && row.team === team && row.number === number)
    for (const { kind, id, team, number } of writes) {
      const row = { team, number }
      if (kind === 'create') {
        const made = await store.create('Member', id === undefined ? row : { id, ...row }).catch(() => undefined)
        t.equal(made === undefined, (id !== undefined && expected.has(id)) || taken(-1, row))
        if (made !== undefined) expected.set(made.id as number, made)
      } else if (kind === 'delete') {
        t.equal(await store.deleteAll('Member', { id }), expected.delete(id as number) ? 1 : 0)
      } else {
        const run = {
          update: async () => await store.updateById('Member', id as number, row),
          replace: async () => await store.replaceById('Member', id as number, row)
        }
        const outcome = await run[kind as keyof typeof run]().catch((error: unknown) => error)
        if (outcome instanceof Error) t.ok(taken(id as number, row) && expected.has(id as number), kind)
        else if (outcome === undefined) t.notOk(expected.has(id as number))
        else expected.set(id as number, { id, ...row })
      }
    }
    const rows = [...expected.values()].sort((a, b) => (a.id as number) - (b.id as number))
    t.same(await store.find('Member'), rows)
    for (const team of ['a', 'b']) {
      for (const number of [1, 2, 3]) {
        t.same(await store.find('Member', { where: { team, number } }),
          rows.filter(row => row.team === team && row.number === number))
      }
    }
  }), { numRuns: 60 })
})
