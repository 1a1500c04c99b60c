import { ModelRegistry, type Connector, type Row } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import t from 'tap'
import { StoredRules } from './stored-rules.js'

t.test('what was read before a change never stands for what holds after it', async t => {
  const registry = new ModelRegistry()
  const answers: Array<() => void> = []
  registry.defineDataSource('db', {
    connector: (...given) => {
      const store = memoryConnector(...given)
      // A server that reads at once and answers when it is told to.
      const find = store.find.bind(store)
      const late: Connector['find'] = async (...asked) => {
        const rows = await find(...asked)
        await new Promise<void>(resolve => { answers.push(resolve) })
        return rows
      }
      return Object.assign(store, { find: late })
    }
  })
  registry.attach(
    registry.defineModel({
      name: 'ACL',
      properties: { model: 'string', permission: 'string', principalType: 'string', principalId: 'string' }
    }),
    'db'
  )
  await registry.start()
  const ACL = registry.models.ACL as unknown as {
    create(row: Row): Promise<unknown>
    updateAll(where: Row, row: Row): Promise<unknown>
  }
  await ACL.create({ model: 'Note', permission: 'ALLOW', principalType: 'ROLE', principalId: '$everyone' })
  const rules = new StoredRules(registry, 60_000)
  const permissions = async (table: ReturnType<StoredRules['read']>): Promise<string[]> =>
    (await table).get('Note')?.map(({ permission }) => permission) ?? []
  const soon = async (): Promise<void> => { await new Promise(resolve => { setImmediate(resolve) }) }

  const first = rules.read()
  await soon()
  answers.shift()?.()
  t.same(await permissions(first), ['ALLOW'])
  rules.clear()
  const early = rules.read()
  await soon()
  await ACL.updateAll({}, { permission: 'DENY' })
  rules.clear()
  const late = rules.read()
  await soon()
  t.equal(answers.length, 2, 'whoever comes after the change has it read anew')
  answers.pop()?.()
  t.same(await permissions(late), ['DENY'])
  const { version } = rules
  answers.pop()?.()
  t.same(await permissions(early), ['DENY'], 'what was read late and is old is nobody\'s')
  t.same(await permissions(rules.read()), ['DENY'])
  t.equal(rules.version, version)
})
