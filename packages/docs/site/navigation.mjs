// What stands at the side of every page, and in which order.
import path from 'node:path'
import { filesBelow, packages } from '../../../.ci/docs/files.mjs'

const guide = (text, name, about) => ({ text, link: `/guides/${name}`, about })

export const guides = [
  {
    text: 'Begin',
    items: [
      guide('In ten minutes', 'start-command-line', 'a product from the command line'),
      guide('In TypeScript', 'start-typescript', 'a product as a library'),
      guide('From LoopBack 3', 'from-loopback3', 'what runs as it is, what to change'),
      guide('Names of LoopBack 3', 'loopback3-names', 'where each of them is'),
      guide('From LoopBack 2', 'from-loopback2', 'what changed since, and what mends it'),
      guide('From Express or Fastify', 'from-express', 'beside routes that you have')
    ]
  },
  {
    text: 'Data',
    items: [
      guide('Models', 'models', 'definitions, data sources, settings'),
      guide('Properties', 'properties', 'types, defaults, ids, hidden ones'),
      guide('Relations', 'relations', 'all kinds, with pictures'),
      guide('Filters', 'filters', 'every operator, with examples'),
      guide('Search in texts', 'search', 'words, by an index'),
      guide('Count, add up, group', 'aggregates', 'totals, periods, distinct values'),
      guide('Validation', 'validation', 'what is refused, and how it is told'),
      guide('Hooks', 'hooks', 'your code around operations, in order'),
      guide('Transactions', 'transactions', 'all or nothing'),
      guide('Trusted writes', 'trusted-writes', 'versions of rows, and patches'),
      guide('Sealed properties', 'sealed-properties', 'values that the database does not show'),
      guide('Nested writes', 'nested-writes', 'a row with its related rows'),
      guide('Bulk', 'bulk', 'many rows in one request, lines of JSON'),
      guide('Soft delete', 'soft-delete', 'rows that are put away, and restored'),
      guide('History', 'history', 'who changed a row when, and as it was'),
      guide('Migrations', 'migrations', 'tables that follow models')
    ]
  },
  {
    text: 'Over HTTP',
    items: [
      guide('Remote methods', 'remote-methods', 'functions as routes'),
      guide('What goes away', 'deprecation', 'methods and properties that clients should leave'),
      guide('Files', 'files', 'uploads, downloads, files of rows'),
      guide('Streams', 'streams', 'changes as they happen'),
      guide('Live queries', 'live-queries', 'the rows of a filter, kept right'),
      guide('Large responses', 'large-responses', 'lists as NDJSON and CSV, row by row'),
      guide('Idempotency', 'idempotency', 'sent twice, done once'),
      guide('Many operations as one', 'batch', 'several operations in one request'),
      guide('GraphQL', 'graphql', 'rows with their related rows, by one document'),
      guide('Agents', 'mcp', 'methods as tools, by the Model Context Protocol'),
      guide('Sync', 'sync', 'rows without a line'),
      guide('Two APIs', 'two-apis', 'beside each other, of the same models'),
      guide('CORS and rate limits', 'cors-and-limits', 'other origins, and not too many')
    ]
  },
  {
    text: 'People',
    items: [
      guide('Users', 'users', 'accounts, login, tokens'),
      guide('Second factors', 'second-factors', 'authenticators, recovery codes, password rules'),
      guide('Passkeys', 'passkeys', 'a fingerprint, a face or a key'),
      guide('Access rules', 'access-rules', 'who may do what, and why'),
      guide('Step-up', 'step-up', 'what needs a stronger login'),
      guide('OAuth and OpenID', 'oauth', 'as a client, as a server'),
      guide('OpenID Connect provider', 'openid', 'others log in at your application'),
      guide('Logins and logout of OpenID Connect', 'openid-sessions', 'prompt, levels, sessions'),
      guide('Tokens bound to keys and resources', 'dpop-and-resources', 'DPoP, resources, JWTs, FAPI'),
      guide('Extensions of the OAuth provider', 'oauth-extensions', 'devices, pushed requests, registration'),
      guide('Login pages', 'login-pages', 'colours, languages, accounts'),
      guide('Security model', 'security-model', 'what is promised, and what stays yours')
    ]
  },
  {
    text: 'Run',
    items: [
      guide('The studio', 'studio', 'your application on one page, while you develop'),
      guide('Testing', 'testing', 'an application under test'),
      guide('Jobs', 'jobs', 'queues and timers, one process at a time'),
      guide('Webhooks', 'webhooks', 'other systems are told what happens to rows'),
      guide('Mail', 'mail', 'sent by the application'),
      guide('Production', 'production', 'a checklist'),
      guide('Performance', 'performance', 'figures, and how to repeat them'),
      guide('Sizes', 'sizes', 'what each package weighs'),
      guide('Extending', 'extending', 'connectors, components, validations')
    ]
  }
]

const named = items => items.map(([text, link]) => ({ text, link }))
const back = { text: 'All guides', link: '/' }

const inside = [back, {
  text: 'Inside',
  items: named([
    ['Documents', '/internals/'], ['Architecture', '/internals/architecture'], ['Decisions', '/internals/decisions'],
    ['Sync protocol', '/internals/sync-protocol'], ['Live protocol', '/internals/live-protocol'], ['Wrong names and values', '/internals/definition-keys'],
    ['Conformance of OpenID Connect', '/internals/openid-conformance'],
    ['Contributing', '/contributing']
  ])
}, {
  text: 'Rules',
  items: filesBelow('packages/docs/rules').map(file => path.basename(file, '.md'))
    .map(name => ({ text: name, link: `/rules/${name}` }))
}]

const byPackage = (text, folder, names) => [back, {
  text, items: named([['All', `/${folder}/`], ...names.map(name => [name, `/${folder}/${name}`])])
}]

/**
 * What stands at the side, by the beginning of the page's path.
 * @param withApi packages that have a page of their API
 * @param withTypes packages that have a page of their types
 */
export const sidebars = (withApi, withTypes) => ({
  '/packages/': byPackage('Packages', 'packages', packages().filter(name => name !== 'docs')),
  '/api/': byPackage('API', 'api', withApi),
  '/types/': byPackage('Types', 'types', withTypes),
  '/internals/': inside,
  '/rules/': inside,
  '/contributing': inside,
  '/': [
    ...guides.map(({ text, items }) => ({ text, items: items.map(({ text: name, link }) => ({ text: name, link })) })),
    {
      text: 'Reference',
      items: named([
        ['HTTP', '/http'], ['Settings: options', '/settings/options'], ['Settings: files', '/settings/files'],
        ['Errors at the start', '/errors/start'], ['Errors of requests', '/errors/requests'], ['API', '/api/'],
        ['Types', '/types/'], ['Packages', '/packages/'], ['Changelog', '/changelog'], ['Inside', '/internals/']
      ])
    }
  ]
})
