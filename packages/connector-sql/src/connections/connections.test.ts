import t from 'tap'
import type { Connection, Database } from '../dialects/driver.js'
import { Connections } from './connections.js'

t.test('a transaction whose commit is under way does not keep the data source from closing', async t => {
  const did: string[] = []
  let committed = (): void => {}
  const connection = {
    begin: () => {},
    commit: async () => await new Promise<void>(resolve => { committed = resolve }),
    rollback: () => { did.push('rollback') }
  } as unknown as Connection
  const database = {
    main: connection,
    singleWriter: false,
    reserve: () => connection,
    release: () => { did.push('release') },
    close: () => { did.push('close') }
  } as unknown as Database
  const connections = new Connections(database, 1000, 1000, { warn () {}, info () {}, debug () {} })
  const [ending] = [await connections.begin({}), await connections.begin({})]
  const commit = ending.commit()
  await connections.close()
  t.same(did, ['rollback', 'release', 'close'], 'the one that is open is rolled back')
  committed()
  await commit
  t.same(did, ['rollback', 'release', 'close', 'release'])
})
