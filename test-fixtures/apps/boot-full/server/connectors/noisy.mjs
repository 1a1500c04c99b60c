// A connector of the folder's own: the memory connector, with a count of what was created.
import { memoryConnector } from '@fastback/connector-memory'

export default function noisy (settings, context) {
  const connector = memoryConnector({ connector: 'memory' }, context)
  const create = connector.create.bind(connector)
  connector.created = 0
  connector.create = function (...args) {
    connector.created++
    return create(...args)
  }
  return connector
}
