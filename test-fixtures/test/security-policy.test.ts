/** SECURITY.md says numbers: each is the one of the code. */
import { readFileSync } from 'node:fs'
import type { ConnectorContext } from '@fastback/core'
import t from 'tap'
import { defaultTtl as aclTtl, streamInterval } from '../../packages/acl/src/service.js'
import { bcryptLength } from '../../packages/auth/src/passwords/check-password.js'
import { parameters } from '../../packages/auth/src/passwords/hasher.js'
import { defaultLimits } from '../../packages/auth/src/attempts/limits.js'
import { accessTokenDefinition } from '../../packages/auth/src/models/access-token.js'
import { defaultMaxTtl, defaultResetTtl, defaultTtl } from '../../packages/auth/src/user/ttl.js'
import { limits as server, maxParamLength } from '../../packages/boot/src/server-options.js'
import { readSettings } from '../../packages/connector-sql/src/settings.js'
import { largestGivenId } from '../../packages/core/src/operations/validate.js'
import { defaultMaxDepth } from '../../packages/core/src/properties/coerce.js'
import { defaultQueryLimits as query } from '../../packages/core/src/query/limits.js'
import { maxViolations } from '../../packages/core/src/errors.js'
import { webhookSettings } from '../../packages/events/src/webhooks/options.js'
import { defaultLimits as graphql } from '../../packages/graphql/src/options.js'
import { defaultLimits as mcp } from '../../packages/mcp/src/options.js'
import { deviceSettings } from '../../packages/oauth2/src/device/options.js'
import { defaults as lifetimes, longestGrant } from '../../packages/oauth2/src/lifetimes.js'
import { settingsOf } from '../../packages/oauth2/src/options.js'
import { pushedSettings } from '../../packages/oauth2/src/pushed/options.js'
import { readOptions } from '../../packages/rest/src/options.js'
import { defaultJsonDepth } from '../../packages/rest/src/parse/json.js'
import { defaultTextLimits as address } from '../../packages/rest/src/parse/query.js'
import { uploadLimits as uploads } from '../../packages/storage/src/upload-limits.js'

const number = (value: number): string => value.toLocaleString('en')
const seconds = (milliseconds: number): string => `${number(milliseconds / 1000)} s`
const days = (s: number): string => `${number(Math.round(s / 86_400))} days`

const { heartbeat, body, xml } = readOptions({})
const webhooks = webhookSettings(true) as NonNullable<ReturnType<typeof webhookSettings>>
const sqlite = readSettings({ connector: 'sql', url: 'sqlite::memory:' }, { dataSource: 'db' } as ConnectorContext)
const oauth = settingsOf({}, () => {})

const defaults: ReadonlyArray<readonly [what: string, value: string, packageName: string]> = [
  ['Body, JSON or form, after decompression', `${number(body.jsonLimit / 1024)} kB`, 'rest'],
  ['Nesting of a JSON body', `${defaultJsonDepth} levels`, 'rest'],
  ["Nesting of a row's data (`maxDepthOfData`)", `${defaultMaxDepth} levels`, 'core'],
  ['Violations that one response lists', number(maxViolations), 'core'],
  ['Number in the place of a generated id (`forceId: false`)', `at most ${number(largestGivenId)}`, 'core'],
  ['Filter in an address', `${number(address.objectText)} characters`, 'rest'],
  [
    'Parameters of an address; items of a list in it',
    `${number(address.parameters)}; ${number(address.listItems)}`,
    'rest'
  ],
  ['Id in an address', `${number(maxParamLength)} characters`, 'boot'],
  ['Nesting of a filter (`maxDepthOfQuery`)', `${query.depth} levels`, 'core'],
  ['Keys of a filter; branches of `and`, `or`, `nor`', `${number(query.keys)}; ${number(query.branches)}`, 'core'],
  ['Values of `inq` and `nin`', number(query.values), 'core'],
  ['Terms of `order`; names in `fields`', `${query.orderTerms}; ${query.fields}`, 'core'],
  ['Relations to include; levels of them', `${query.includes}; ${query.includeDepth}`, 'core'],
  ['Parts of a dotted path', number(query.pathParts), 'core'],
  ['`like` or `regexp` pattern', `${query.patternLength} characters`, 'core'],
  ['Text of a `$search`; words in it', `${query.searchLength} characters; ${query.searchWords}`, 'core'],
  ['Instructions of all `regexp` patterns of a query', number(query.program), 'core'],
  [
    'Work of a request; rows of its response; their characters',
    `${number(query.work)} units; ${number(query.rows)}; ${number(query.bytes)}`,
    'core'
  ],
  ['Largest page (`maxLimit`)', query.maxLimit === undefined ? 'none: set it' : number(query.maxLimit), 'core'],
  [
    'Time for the headers of a request; for all of it',
    `${seconds(server.headersTimeout)}; ${seconds(server.requestTimeout)}`,
    'boot'
  ],
  ['Time between two requests of a connection', seconds(server.keepAliveTimeout), 'boot'],
  [
    'Open connections (`server.maxConnections`)',
    server.maxConnections === 0 ? 'no limit: set it' : number(server.maxConnections),
    'boot'
  ],
  ['Refusing under pressure (`server.underPressure`)', 'off: set it', 'boot'],
  ['Signs of life on a stream', `every ${seconds(heartbeat)}`, 'rest'],
  [
    'Document of GraphQL: characters; tokens; levels; fields; aliases',
    [graphql.length, graphql.tokens, graphql.depth, graphql.fields, graphql.aliases].map(number).join('; '),
    'graphql'
  ],
  [
    'Calls of methods in a document of GraphQL; subscriptions of a connection',
    `${graphql.calls}; ${graphql.subscriptions}`,
    'graphql'
  ],
  [
    'Call of an agent: rows; characters of its result; bytes and levels of the request',
    [mcp.rows, mcp.result, mcp.body, mcp.json].map(number).join('; '),
    'mcp'
  ],
  [
    'Webhooks: subscriptions of a user; bytes of a body; time of a request; requests at once, to one host',
    [
      number(webhooks.subscriptionsPerUser), number(webhooks.largestBody), seconds(webhooks.timeout),
      `${number(webhooks.concurrency)}, ${number(webhooks.concurrencyPerHost)}`
    ].join('; '),
    'events'
  ],
  ['Access token; the longest that a login may ask for', `${days(defaultTtl)}; ${days(defaultMaxTtl)}`, 'auth'],
  ['Token of a password reset', `${number(defaultResetTtl / 60)} minutes`, 'auth'],
  [
    'Text of a token',
    `${String(accessTokenDefinition.settings?.accessTokenIdLength)} characters of A-Z, a-z, 0-9`,
    'auth'
  ],
  ['Password', `at most ${bcryptLength} bytes`, 'auth'],
  [
    'argon2id',
    `${number(parameters.memoryCost / 1024)} MiB, ${parameters.timeCost} passes, ${parameters.parallelism} lane`,
    'auth'
  ],
  [
    'Attempts per account; per address',
    [defaultLimits.account, defaultLimits.address]
      .map(({ max, timeWindow }) => `${max} in ${seconds(timeWindow)}`)
      .join('; '),
    'auth'
  ],
  ['Time that an address which was right is known for an account', days(defaultLimits.knownFor / 1000), 'auth'],
  ["Time that another process's change of a role or rule may go unseen", seconds(aclTtl), 'acl'],
  ['OAuth code; access token', `${number(lifetimes.code)} s; ${number(lifetimes.token)} s`, 'oauth2'],
  [
    'OAuth refresh token; all of one consent together',
    `${days(lifetimes.refreshToken)}; ${days(longestGrant)}`,
    'oauth2'
  ],
  ['Login at the OAuth pages', `${number(oauth.session.maxAge / 3600)} hours`, 'oauth2'],
  [
    'OAuth attempts that were wrong, per account or client',
    `${oauth.rateLimit?.max} in ${oauth.rateLimit?.window} s`,
    'oauth2'
  ],
  [
    'Devices, and pushed requests, of public clients from one network (`maxPerHour`)',
    [deviceSettings(true), pushedSettings(true)].map(settings => number(settings?.maxPerHour ?? 0)).join('; '),
    'oauth2'
  ],
  [
    'Uploads at a time; of one client (`maxUploadsPerClient`)',
    `${uploads.concurrent}; ${uploads.concurrent * uploads.shareOfClient}`,
    'storage'
  ],
  [
    'Resumable uploads that have begun, of one user; without a token, of one network; of all networks',
    [uploads.pending, uploads.pendingOfNetwork, uploads.pending * uploads.ofAnybody].map(number).join('; '),
    'storage'
  ],
  [
    'Time that a resumable upload is kept after its last byte; without a token',
    `${number(uploads.ttl / 3600)} hours; ${number(uploads.idle)} s`,
    'storage'
  ],
  ['Wait for a lock of another process on a SQLite file', seconds(sqlite.busyTimeout), 'connector-sql']
]

const policy = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')

t.test('the table of defaults is that of the code', async t => {
  const [, section = ''] = policy.split('## The defaults')
  const [table] = section.split('\n## ')
  const rows = (table as string).split('\n').filter(line => line.startsWith('| ')).slice(1)
  t.strictSame(rows, defaults.map(row => `| ${row.join(' | ')} |`))
  t.equal(body.formLimit, body.jsonLimit)
  t.equal(xml, false, 'XML is off')
})

t.test('what the text says besides is so', async t => {
  t.ok(streamInterval < 5000, 'streams end within five seconds')
  for (const command of policy.matchAll(/`npm run ([\w-]+)/g)) {
    const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>
    }
    t.type(scripts[command[1] as string], 'string', command[0])
  }
})
