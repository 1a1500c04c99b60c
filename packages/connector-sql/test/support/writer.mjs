// Creates and changes rows until it is killed, and says so only after each write was acknowledged.
import { sqlConnector } from '@fastback/connector-sql'

const property = (name, kind, idPosition = 0) => ({
  name,
  type: { kind },
  idPosition,
  generated: idPosition > 0,
  required: false,
  hidden: false,
  protected: false,
  makeDefault: undefined,
  definition: {}
})
const properties = [property('id', 'number', 1), property('name', 'string'), property('tick', 'number')]
const model = {
  name: 'Item',
  properties,
  propertyByName: new Map(properties.map(item => [item.name, item])),
  id: properties[0],
  key: [properties[0]],
  open: false,
  indexes: [],
  settings: {}
}
const connector = sqlConnector(
  { connector: 'sql', url: `sqlite:${process.argv[2]}` },
  { dataSource: 'db', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }
)
await connector.connect()
await connector.autoupdate([model])
for (let i = 0; ; i++) {
  const { id } = await connector.create(model, { name: 'x'.repeat(i % 5000), tick: 0 }, {})
  process.stdout.write(`${id} 0\n`)
  await connector.updateById(model, id, { tick: i }, {})
  process.stdout.write(`${id} ${i}\n`)
  await new Promise(resolve => setImmediate(resolve))
}
