/** Which hooks every operation fires, with what in their context: the table of behaviour.md, section 10, row by row. */
import t, { type Test } from 'tap'
import { ModelRegistry, type HookContext } from '@fastback/core'
import { hookNames } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const members = ['query', 'where', 'data', 'instance', 'currentInstance', 'info']

async function start (
  t: Test,
  dataSource: Loose
): Promise<{ Given: Loose; Made: Loose; traced: (run: () => Promise<unknown>) => Promise<string[]> }> {
  // The calls are LoopBack's, which asks nobody about a row that is replaced.
  const registry = new ModelRegistry({ settings: { accessOnReplace: false } })
  registry.defineDataSource('db', dataSource)
  const properties = { name: 'string', size: 'number' }
  registry.defineModels([
    { input: { name: 'Base', properties } },
    { input: { name: 'Made', base: 'Base' } },
    { input: { name: 'Given', base: 'Base', forceId: false } }
  ])
  const log: string[] = []
  const { Base, Made, Given } = registry.models as Loose
  for (const name of ['Made', 'Given']) registry.attach(name, 'db')
  for (const hook of hookNames) {
    Base.observe(hook, (context: HookContext, next: () => void) => {
      context.hookState.base = ((context.hookState.base as number | undefined) ?? 0) + 1
      next()
    })
    for (const Model of [Made, Given]) {
      Model.observe(hook, async (context: HookContext) => {
        if (context.Model !== Model || !Number.isInteger(context.hookState.base) || context.options.tag !== 1) {
          throw new Error(`${hook}: base hooks first, Model and options always`)
        }
        log.push(
          [
            hook,
            ...members.filter(key => context[key] !== undefined),
            ...(context.isNewInstance === undefined ? [] : [`new:${String(context.isNewInstance)}`])
          ].join(' ')
        )
      })
    }
  }
  await registry.start()
  t.teardown(() => registry.stop())
  return {
    Made,
    Given,
    traced: async run => {
      log.length = 0
      await run()
      return [...log]
    }
  }
}

const created = [
  'before save instance new:true',
  'persist data currentInstance new:true',
  'loaded data new:true',
  'after save instance new:true'
]
const patched = [
  'before save where data currentInstance',
  'persist where data currentInstance new:false',
  'loaded data new:false',
  'after save instance new:false'
]
const replaced = [
  'before save instance new:false',
  'persist where data currentInstance new:false',
  'loaded data new:false',
  'after save instance new:false'
]
const read = ['access query', 'loaded data new:false']
const each = (lines: string[], times: number): string[] =>
  lines.flatMap(line => Array.from({ length: times }, () => line))
const options = { tag: 1 }

for (const [store, dataSource] of Object.entries({
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
})) {
  t.test(store, async t => {
    const { Made, Given, traced } = await start(t, dataSource)
    const one = await Made.create({ name: 'a' }, options)
    await Given.create({ id: 1, name: 'a' }, options)
    const table: Array<[operation: string, run: () => Promise<unknown>, expected: string[]]> = [
      ['create', () => Made.create({ name: 'b' }, options), created],
      [
        'create of a list: each hook for the whole batch',
        () => Made.create([{ name: 'c' }, { name: 'd' }], options),
        [...each(created.slice(0, 2), 2), ...each(created.slice(2), 1), ...each(created.slice(2), 1)]
      ],
      [
        'findOrCreate, found',
        () => Made.findOrCreate({ where: { name: 'a' } }, { name: 'a' }, options),
        [
          'access query',
          'before save instance new:true',
          'persist where data currentInstance new:true',
          'loaded data new:false'
        ]
      ],
      [
        'findOrCreate, new',
        () => Made.findOrCreate({ where: { name: 'e' } }, { name: 'e' }, options),
        [
          'access query',
          'before save instance new:true',
          'persist where data currentInstance new:true',
          'loaded data new:true',
          'after save instance new:true'
        ]
      ],
      [
        'save of an existing row',
        () => one.save(options),
        [
          'before save instance',
          'persist where data currentInstance',
          'loaded data new:false',
          'after save instance new:false'
        ]
      ],
      ['patchAttributes', () => one.patchAttributes({ size: 1 }, options), patched],
      ['replaceById', () => Made.replaceById(1, { name: 'a' }, options), replaced],
      ['replaceAttributes', () => one.replaceAttributes({ name: 'a' }, options), replaced],
      ['updateOrCreate, ids given out', () => Made.updateOrCreate({ id: 1, size: 2 }, options), [...read, ...patched]],
      ['updateOrCreate without id', () => Made.updateOrCreate({ name: 'f' }, options), created],
      ['replaceOrCreate, ids given out', () => Made.replaceOrCreate({ id: 1, name: 'a' }, options), replaced],
      ['replaceOrCreate without id', () => Made.replaceOrCreate({ name: 'g' }, options), created],
      [
        'updateOrCreate, found',
        () => Given.updateOrCreate({ id: 1, size: 2 }, options),
        [
          'access query',
          'before save where data',
          'persist where data currentInstance',
          'loaded data new:false',
          'after save instance new:false'
        ]
      ],
      [
        'updateOrCreate, new',
        () => Given.updateOrCreate({ id: 2, size: 2 }, options),
        [
          'access query',
          'before save where data',
          'persist where data currentInstance',
          'loaded data new:true',
          'after save instance new:true'
        ]
      ],
      [
        'replaceOrCreate, found',
        () => Given.replaceOrCreate({ id: 1, name: 'a' }, options),
        [
          'access query',
          'before save instance',
          'persist where data currentInstance',
          'loaded data new:false',
          'after save instance new:false'
        ]
      ],
      [
        'replaceOrCreate, new',
        () => Given.replaceOrCreate({ id: 3, name: 'x' }, options),
        [
          'access query',
          'before save instance',
          'persist where data currentInstance',
          'loaded data new:true',
          'after save instance new:true'
        ]
      ],
      [
        'upsertWithWhere, found',
        () => Made.upsertWithWhere({ name: 'a' }, { size: 3 }, options),
        [
          'access query',
          'before save where data',
          'persist where data currentInstance',
          'loaded data new:false',
          'after save instance new:false'
        ]
      ],
      [
        'upsertWithWhere, new',
        () => Made.upsertWithWhere({ name: 'none' }, { name: 'none' }, options),
        [
          'access query',
          'before save where data',
          'persist where data currentInstance',
          'loaded data new:true',
          'after save instance new:true'
        ]
      ],
      [
        'updateAll',
        () => Made.updateAll({ name: 'a' }, { size: 4 }, options),
        ['access query', 'before save where data', 'persist where data', 'after save where data info']
      ],
      ['find', () => Made.find({ where: { name: { inq: ['a', 'b'] } } }, options), [...read, 'loaded data new:false']],
      ['findOne', () => Made.findOne({ where: { name: 'a' } }, options), read],
      ['findById', () => Made.findById(1, undefined, options), read],
      ['exists', () => Made.exists(1, options), ['access query']],
      ['count', () => Made.count({}, options), ['access query']],
      [
        'destroyAll',
        () => Made.destroyAll({ name: 'none' }, options),
        ['access query', 'before delete where', 'after delete where info']
      ],
      [
        'destroyById',
        () => Made.destroyById(2, options),
        ['access query', 'before delete where', 'after delete where info']
      ],
      [
        'destroy',
        () => one.destroy(options),
        ['access query', 'before delete where instance', 'after delete where instance info']
      ]
    ]
    for (const [operation, run, expected] of table) t.strictSame(await traced(run), expected, operation)
  })
}

t.test('upserts by id whose access hooks ask for another row', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([{ input: { name: 'Note', forceId: false, properties: { title: 'string' } } }])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Note } = registry.models as any
  await Note.create([{ id: 1, title: 'one' }, { id: 2, title: 'two' }])
  let where: object = { id: 1 }
  Note.observe('access', async ({ query }: HookContext) => { (query as any).where = where })
  t.match(await Note.updateOrCreate({ id: 2, title: 'changed' }), { id: 1, title: 'changed' })
  t.match(await Note.replaceOrCreate({ id: 2, title: 'replaced' }), { id: 1, title: 'replaced' })
  where = { id: 99 }
  const made = await Note.updateOrCreate({ id: 2, title: 'new' })
  t.match(made, { id: 3, title: 'new' }, 'the id may be taken by a row that the hook hides')
  where = { id: 2 }
  t.match(await Note.updateOrCreate({ id: 2, title: 'second' }), { id: 2, title: 'second' })
})

t.test('a connector that has no upserts of its own: a read, and the write that follows from it', async t => {
  const registry = new ModelRegistry({ settings: { accessOnReplace: false } })
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([{ input: { name: 'Note', forceId: false, properties: { title: 'string' } } }])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Note } = registry.models as any
  const connector = db.connector as any
  const stored = await new Promise(resolve => {
    connector.updateOrCreate('Note', { id: 1, title: 'one' }, {}, (_error: unknown, row: unknown) => { resolve(row) })
  })
  t.match(stored, { id: 1, title: 'one' }, 'upserts are there by LoopBack\'s names')
  t.match(await connector.upsertWithWhere('Note', { id: 1 }, { title: 'two' }, {}), { id: 1, title: 'two' })
  for (const name of ['updateOrCreate', 'upsertWithWhere', 'replaceOrCreate', 'findOrCreate']) connector[name] = false
  const told: unknown[] = []
  Note.observe('before save', async ({ instance, data, isNewInstance }: HookContext) => {
    told.push(data === undefined ? [{ ...instance }, isNewInstance] : { ...data })
  })
  await Note.updateOrCreate({ id: 1, title: 'three' })
  await Note.updateOrCreate({ id: 2, title: 'two' })
  await Note.upsertWithWhere({ id: 3 }, { id: 3, title: 'three' })
  await Note.replaceOrCreate({ id: 3, title: 'four' })
  t.match(told, [
    { title: 'three' }, [{ id: 2, title: 'two' }, true], [{ id: 3, title: 'three' }, true],
    [{ id: 3, title: 'four' }, false]
  ])
  t.match(await Note.findOrCreate({ where: { title: 'four' } }, { title: 'four' }), [{ id: 3 }, false])
  t.match(await Note.findOrCreate({ where: { title: 'five' } }, { title: 'five' }), [{ id: 4 }, true])
})

t.test('what persist hooks set is stored, and is in no response to create', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([{ input: { name: 'Note', properties: { title: 'string', slug: 'string' } } }])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Note } = registry.models as any
  Note.observe('persist', async ({ data }: HookContext) => { Object.assign(data as object, { slug: 's', title: 'T' }) })
  t.strictSame((await Note.create({ title: 't' })).toJSON(), { title: 't', id: 1 })
  t.strictSame((await Note.create([{ title: 't' }]))[0].toJSON(), { title: 't', id: 2 })
  t.strictSame((await Note.findById(1)).toJSON(), { title: 'T', slug: 's', id: 1 })
})
