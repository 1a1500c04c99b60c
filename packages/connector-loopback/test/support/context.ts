import type { ConnectorContext } from '@fastback/core'

export const context: ConnectorContext = {
  dataSource: 'db',
  baseDir: '.',
  log: { warn () {}, info () {}, debug () {} }
}
