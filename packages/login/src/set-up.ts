/** What has been done for an application so far. */
import type { HostApplication } from '@fastback/core'
import type { Logins } from './logins.js'

export interface SetUp {
  /** Makes or gives the logins; undefined while nobody has asked for some. */
  logins: (() => Logins) | undefined
  introduced: boolean
  /** What `init(noSession)` was told. */
  noSession: boolean
  /** What is loaded for entries: the application opens when it is there. */
  readonly loading: Array<Promise<unknown>>
}

const kSetUp = Symbol('fastback.login.setUp')

export const setUpOf = (app: Pick<HostApplication, 'registry'>): SetUp =>
  app.registry.core.slot<SetUp>(kSetUp, () => ({ logins: undefined, introduced: false, noSession: false, loading: [] }))
