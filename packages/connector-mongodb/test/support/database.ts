/**
 * The MongoDB of tests: that of `FASTBACK_TEST_MONGODB` (an URL; each test makes databases of its own and drops them),
 * else a server in this process.
 */
import type { DataSourceSettings } from '@fastback/core'
import { mongodbConnector, type MongodbConnector } from '@fastback/connector-mongodb'
import { MongoClient } from 'mongodb'
import type { Test } from 'tap'
import { TestServer } from './server.js'

export const context = { dataSource: 'db', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }

/** Whether the tests run on a real one. */
export const asked = process.env.FASTBACK_TEST_MONGODB

export interface TestDatabase {
  readonly settings: DataSourceSettings
  /** The server in this process, where it is that. */
  readonly server: TestServer | undefined
  /** Whether there are transactions. */
  readonly isReplicated: boolean
  make (more?: object): MongodbConnector
}

/** @param replicaSet name of the set that a server in this process says to be; a real one is what it is */
export async function testDatabase (t: Test, replicaSet?: string): Promise<TestDatabase> {
  const database = `fastback_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
  const server = asked === undefined ? await TestServer.start(replicaSet) : undefined
  const url = asked ?? (server as TestServer).url
  const settings = { connector: 'mongodb', url, database }
  t.teardown(async () => {
    if (server !== undefined) return await server.stop()
    const client = new MongoClient(url)
    await client.db(database).dropDatabase()
    await client.close()
  })
  return {
    settings,
    server,
    isReplicated: /[?&]replicaSet=|^mongodb\+srv:/.test(url),
    make: more => mongodbConnector({ ...settings, ...more }, context) as MongodbConnector
  }
}
