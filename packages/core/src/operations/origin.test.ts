import t from 'tap'
import { listConnector } from '../../test/helpers/list-connector.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { ModelRegistry } from '../registry.js'
import { asApplication, asInternal, asRemote, isFromCaller, isRemote, remoteOptions } from './origin.js'

t.test('who asks decides what binds; LoopBack\'s option means what it says and no more', async t => {
  const registry = new ModelRegistry()
  const Person = registry.defineModel({ name: 'Person', properties: { name: 'string', pin: 'string' }, hidden: ['pin'] })
  registry.defineDataSource('db', { connector: () => listConnector() })
  registry.attach(Person, 'db')
  const find = (filter: object, options?: OperationOptions): Promise<unknown[]> =>
    (Person.find as (filter: object, options?: OperationOptions) => Promise<unknown[]>).call(Person, filter, options)
  const many = { or: Array.from({ length: 600 }, (_, i) => ({ name: `n${i}` })) }
  const hidden = { where: { pin: '1' } }
  const refused = { statusCode: 400, code: 'HIDDEN_PROPERTY_IN_QUERY' }
  await t.rejects(find(hidden, asRemote({})), refused)
  await t.rejects(find(hidden, remoteOptions({})), refused)
  await t.rejects(find(hidden, { prohibitHiddenPropertiesInQuery: true }), refused, 'the option alone')
  // Seen to fail: parseOptions of operations/context.ts without the mode `discreet`
  await t.resolves(find({ where: many }, { prohibitHiddenPropertiesInQuery: true }), 'and nothing else is bound by it')
  await t.rejects(find({ where: many }, asRemote({})), { code: 'QUERY_LIMIT_EXCEEDED' })
  for (const options of [undefined, {}, asInternal(asRemote({})), asApplication(asRemote({}))]) {
    await t.resolves(find(hidden, options))
    await t.resolves(find({ where: many }, options))
  }
})

t.test('the mark goes along with copies, and cannot be sent', async t => {
  const remote = remoteOptions({ accessToken: { id: 1 } })
  t.ok(isRemote({ ...remote, more: 1 }) && isFromCaller(Object.assign({}, remote)))
  t.ok(isRemote(asInternal(remote)))
  t.notOk(isFromCaller(asInternal(remote)))
  t.notOk(isRemote(asApplication(remote)))
  t.equal(asInternal(remote).accessToken, remote.accessToken)
  t.notOk(isRemote(JSON.parse('{"fastback.origin":"caller","Symbol(fastback.origin)":"caller","fromOutside":true}')))
  const own = { transaction: 1 }
  t.equal(asInternal(own), own, 'nothing to take off')
})
