import type { Test } from 'tap'
import type { Connector } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { agreesWithMemory, connectorSuite, type Claim } from '@fastback/connector-tests'
import { runsOf } from '../../../../test-fixtures/runs.mjs'
import { context } from './connectors.js'
import { scratchUrl } from './scratch.js'

export const claims: Claim[] = ['rows', 'transactions', 'text', 'together', 'versions']
export const open = (url: string) => (): Connector => sqlConnector({ connector: 'sql', url }, context())

/** The suite of connectors on a database server, where it can be reached. */
export async function holdsOn (t: Test, server: 'postgres' | 'mysql'): Promise<void> {
  const url = await scratchUrl(t, server)
  if (url === undefined) return
  await connectorSuite(t, { name: server, make: open(url), claims: [...claims, 'persistence'] })
  await t.test('answers as the memory connector does, from filters on', async t => {
    await agreesWithMemory(t, open(url), { runs: runsOf(10), filters: 5 })
  })
}
