/** Who sees what, as a table that an application's tests assert. */
import { isDeepStrictEqual } from 'node:util'
import type { ModelClass, ModelInstance, ModelRegistry } from '@fastback/core'
import type { Decision } from './rules/decision.js'
import { watchDecisions } from './rules/watch-decisions.js'
import { InvalidSuiteError } from './errors.js'

/** Who calls: a user by id, the bearer of a token, or nobody (null). */
export type SuiteCaller = null | {
  readonly userId?: unknown
  /** The name of the user model, where there are several. */
  readonly principalType?: string
  /** The text of a token, in place of a user. */
  readonly token?: string
}

/**
 * One request, and by the name of each caller what is expected: a status, the ids of the rows of a list, or what the
 * body has (a property that must not be there is undefined).
 */
export interface AccessRow {
  /** Method and path: `GET /api/Notes`. */
  readonly call: string
  /** Data of the request, as JSON. */
  readonly data?: unknown
  readonly [caller: string]: unknown
}

export interface AccessSuite {
  readonly callers: Readonly<Record<string, SuiteCaller>>
  readonly table: readonly AccessRow[]
}

/** One request of one caller. */
export interface AccessResult {
  readonly call: string
  readonly caller: string
  readonly expected: unknown
  readonly actual: unknown
  readonly passed: boolean
  /** The rule that decided, as written; undefined: none fitted, or nobody asked for rules. */
  readonly rule: Readonly<Record<string, unknown>> | undefined
  /** All of it in one sentence. */
  readonly message: string
}

/** What of an application it needs. */
export interface SuiteApp {
  readonly registry: ModelRegistry
  inject (request: { method: string, url: string, headers: Record<string, string>, payload?: object }):
  Promise<{ statusCode: number, payload: string }>
}

const reserved: ReadonlySet<string> = new Set(['call', 'data'])

/**
 * Sends each request of a table as each caller that it names, one after the other, and compares. Rows that requests
 * change stay changed; tokens that it makes are removed.
 *
 * ```js
 * const results = await accessSuite(app, {
 *   callers: { anonymous: null, ann: { userId: 1 } },
 *   table: [{ call: 'GET /api/Notes', ann: [1, 2], anonymous: 401 }]
 * })
 * for (const { passed, message } of results) assert.ok(passed, message)
 * ```
 * @throws FBK_ACL_INVALID_SUITE for a caller that is not known, and a call that is none
 */
export async function accessSuite (app: SuiteApp, { callers, table }: AccessSuite): Promise<AccessResult[]> {
  for (const row of table) mustBeRow(row, callers)
  const made: ModelInstance[] = []
  const tokens = new Map<string, string | undefined>()
  try {
    for (const [name, caller] of Object.entries(callers)) tokens.set(name, await tokenOf(app.registry, caller, made))
    const results: AccessResult[] = []
    for (const row of table) {
      for (const caller of Object.keys(row)) {
        if (!reserved.has(caller)) results.push(await resultFor(app, row, caller, tokens.get(caller)))
      }
    }
    return results
  } finally {
    for (const token of made) await (token.destroy as () => Promise<unknown>)()
  }
}

function mustBeRow (row: AccessRow, callers: AccessSuite['callers']): void {
  if (typeof row.call !== 'string' || !/^[A-Z]+ \//.test(row.call)) {
    throw new InvalidSuiteError(`${JSON.stringify(row.call)} is no call: write method and path, such as "GET /api/Notes"`)
  }
  for (const name of Object.keys(row)) {
    if (!reserved.has(name) && !Object.hasOwn(callers, name)) {
      throw new InvalidSuiteError(`"${row.call}" names "${name}", which is none of the callers`)
    }
  }
}

async function tokenOf (
  registry: ModelRegistry, caller: SuiteCaller, made: ModelInstance[]
): Promise<string | undefined> {
  if (caller === null) return undefined
  if (caller.token !== undefined) return caller.token
  const Token = registry.getModelByType('AccessToken') as ModelClass
  const { userId, principalType } = caller
  const token = await (Token.create as (data: object) => Promise<ModelInstance>)(
    { userId, ttl: 3600, ...principalType === undefined ? {} : { principalType } })
  made.push(token)
  return String(token.id)
}

async function resultFor (
  app: SuiteApp, row: AccessRow, caller: string, token: string | undefined
): Promise<AccessResult> {
  const { call, data, [caller]: expected } = row
  const [method = '', url = ''] = call.split(/ (.*)/s)
  let decision: Decision | undefined
  const stop = watchDecisions(app.registry, found => { decision ??= found })
  try {
    const { statusCode, payload } = await app.inject({
      method, url, headers: token === undefined ? {} : { authorization: token },
      ...data === undefined ? {} : { payload: data as object }
    })
    const actual = seen(expected, statusCode, payload)
    const passed = isExpected(expected, actual)
    const rule = decision?.rule?.written
    const says = `${call} as ${caller}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`
    return { call, caller, expected, actual, passed, rule, message: `${says}. ${decidedBy(decision)}` }
  } finally {
    stop()
  }
}

/** What of a response is compared; the status where it is no success, or the body is of another kind. */
function seen (expected: unknown, status: number, payload: string): unknown {
  if (typeof expected === 'number' || status >= 300) return status
  let body: unknown
  try {
    body = JSON.parse(payload)
  } catch {
    return status
  }
  return Array.isArray(expected) && Array.isArray(body)
    ? (body as Array<{ id?: unknown }>).map(({ id }) => id)
    : body
}

/** Rows of a list may come in any order. */
function isExpected (expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected) && Array.isArray(actual)) return isDeepStrictEqual(sorted(expected), sorted(actual))
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return isDeepStrictEqual(expected, actual)
  }
  return Object.entries(expected).every(([name, value]) =>
    isDeepStrictEqual(value, (actual as Record<string, unknown>)[name]))
}

const sorted = (list: readonly unknown[]): string[] => list.map(each => JSON.stringify(each)).sort()

function decidedBy (decision: Decision | undefined): string {
  if (decision === undefined) return 'No rules were asked.'
  if (decision.byCheck === true) return 'Decided by "checkAccess" of the application.'
  const { rule, permission } = decision
  return rule === undefined
    ? `No rule fits, so the default permission holds: ${permission}.`
    : `Decided by the rule ${JSON.stringify(rule.written)}.`
}
