/**
 * A client as LoopBack 3's manual has it (SY-82): models in memory that are tracked, and models of the same shape on the
 * remote connector. It does what its parent process asks for, one message after the other.
 */
const loopback = require('loopback')

const [url] = process.argv.slice(2)
const app = loopback({ localRegistry: true, loadBuiltinModels: true })
const local = app.dataSource('local', { connector: 'memory' })
const remote = app.dataSource('remote', { connector: require('loopback-connector-remote'), url })

const properties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  done: 'boolean',
  due: 'date',
  tags: ['string']
}
const strict = { strict: 'validate', persistUndefinedAsNull: true }
const define = (name, settings, dataSource) => {
  const Model = app.registry.createModel(name, properties, { base: 'PersistedModel', ...strict, ...settings })
  app.model(Model, { dataSource })
  return Model
}
const models = {
  LocalTodo: define('LocalTodo', { trackChanges: true }, local),
  RemoteTodo: define('RemoteTodo', { plural: 'Todos', trackChanges: false, enableRemoteReplication: true }, remote)
}

let conflicts = []
const actions = {
  // With callbacks: not all of them give promises.
  call: ({ model, method, values }) => new Promise((resolve, reject) => {
    models[model][method](...values, (error, result) => { error ? reject(error) : resolve(result) })
  }),
  replicate: ({ from, to, since = -1, options = {} }) => new Promise((resolve, reject) => {
    models[from].replicate(since, models[to], options, (error, found, checkpoints) => {
      if (error) { reject(error); return }
      conflicts = found
      resolve({ conflicts: found.map(({ modelId }) => modelId), checkpoints })
    })
  }),
  conflict: ({ index = 0, swap = false, method, values = [] }) => new Promise((resolve, reject) => {
    const conflict = swap ? conflicts[index].swapParties() : conflicts[index]
    conflict[method](...values, (error, ...results) => { error ? reject(error) : resolve(results) })
  })
}

process.on('message', async message => {
  try {
    process.send({ result: JSON.parse(JSON.stringify(await actions[message.action](message) ?? null)) })
  } catch (error) {
    process.send({ error: error.stack, statusCode: error.statusCode })
  }
})
process.send({ result: 'ready' })
