import type { Test } from 'tap'
import { isReachable, makeScratch, servers, type Server } from '../../../../test-fixtures/scratch.mjs'

/** The URL of an empty database that ends with the test; undefined (and the test says so) where no server answers. */
export async function scratchUrl (t: Test, server: Server): Promise<string | undefined> {
  if (!await isReachable(server)) {
    t.comment(`no ${server} server: set ${servers[server].variable}`)
    return undefined
  }
  const { url, remove } = await makeScratch(server)
  t.teardown(remove)
  return url
}
