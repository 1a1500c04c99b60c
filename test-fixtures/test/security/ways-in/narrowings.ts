/**
 * Ways to narrow what a caller sees of a model. One more is one more member here: the table then has a row for it. Of
 * the two rows of the application the caller, the first user, sees `seen`, and not `gone`, which is the second user's
 * and has the state `gone`.
 */
import type { HookContext } from '@fastback/core'
import type { Loose } from './application.js'

export interface Narrowing {
  /** Begins the names of its models. */
  readonly name: string
  /** What the definition of the letter says. */
  readonly letter?: Readonly<Record<string, unknown>>
  /** What its hook of `access` does. */
  access? (context: HookContext & { query: Loose }): void
  /** Whether lists and other calls over many rows are refused: `$owner` is about one row. */
  readonly refusesLists?: boolean
}

const everybody = { principalType: 'ROLE', principalId: '$everyone' }
const owner = { principalType: 'ROLE', principalId: '$owner' }
const loggedIn = { principalType: 'ROLE', principalId: '$authenticated' }

export const narrowings: Readonly<Record<string, Narrowing>> = {
  'rules ($owner)': {
    name: 'Ruled',
    refusesLists: true,
    letter: {
      acls: [
        { ...everybody, permission: 'DENY' },
        { ...loggedIn, permission: 'ALLOW', property: ['createChangeStream'] },
        { ...owner, permission: 'ALLOW' }
      ]
    }
  },
  'access hook by token': {
    name: 'Hooked',
    access ({ query, options }) {
      const { accessToken } = options as { accessToken?: { userId: unknown } }
      if (accessToken === undefined) return
      query.where = { and: [query.where ?? {}, { userId: accessToken.userId }] }
    }
  },
  'access hook by a hidden property': {
    name: 'Sealed',
    // The rows of this caller have another seal.
    access ({ query, options }) {
      if (options.accessToken === undefined) return
      query.where = { and: [query.where ?? {}, { seal: { neq: null } }, { state: { neq: 'gone' } }] }
    }
  },
  'default scope, an object': { name: 'Scoped', letter: { scope: { where: { state: { neq: 'gone' } } } } },
  'default scope, a function': { name: 'Made', letter: { scope: () => ({ where: { state: { neq: 'gone' } } }) } }
}
