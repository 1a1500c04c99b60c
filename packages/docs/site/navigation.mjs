// What stands at the side of every page, and in which order.
import { packages } from '../../../.ci/docs/files.mjs'

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
      guide('Relations', 'relations', 'a picture of each kind'),
      guide('Filters', 'filters', 'every operator, with examples'),
      guide('Validation', 'validation', 'what is refused, and how it is told'),
      guide('Hooks', 'hooks', 'your code around operations, in order'),
      guide('Transactions', 'transactions', 'all or nothing'),
      guide('Migrations', 'migrations', 'tables that follow models')
    ]
  },
  {
    text: 'API',
    items: [
      guide('Remote methods', 'remote-methods', 'functions as routes'),
      guide('Files', 'files', 'uploads, downloads, files of rows'),
      guide('Streams', 'streams', 'changes as they happen'),
      guide('Sync', 'sync', 'rows without a line')
    ]
  },
  {
    text: 'People',
    items: [
      guide('Users', 'users', 'accounts, login, tokens'),
      guide('Access rules', 'access-rules', 'who may do what, and why'),
      guide('OAuth and OpenID', 'oauth', 'as a client, as a server'),
      guide('Security model', 'security-model', 'what is promised, and what stays yours')
    ]
  },
  {
    text: 'Run',
    items: [
      guide('Testing', 'testing', 'an application under test'),
      guide('Production', 'production', 'a checklist'),
      guide('Performance', 'performance', 'figures, and how to repeat them'),
      guide('Extending', 'extending', 'connectors, components, validations')
    ]
  }
]

const plain = ({ text, items }) =>
  ({ text, collapsed: false, items: items.map(({ text: name, link }) => ({ text: name, link })) })

/** The sidebar of all pages. */
export const sidebar = () => [
  ...guides.map(plain),
  {
    text: 'Reference',
    items: [
      { text: 'HTTP', link: '/http' },
      { text: 'Settings', link: '/settings/', items: [{ text: 'Options', link: '/settings/options' }, { text: 'Files', link: '/settings/files' }] },
      { text: 'Errors', link: '/errors/', items: [{ text: 'At the start', link: '/errors/start' }, { text: 'Of requests', link: '/errors/requests' }] },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: '/changelog' }
    ]
  },
  {
    text: 'Packages',
    collapsed: true,
    items: packages().filter(name => name !== 'docs').map(name => ({ text: name, link: `/packages/${name}` }))
  },
  {
    text: 'Inside',
    collapsed: true,
    items: [
      { text: 'Architecture', link: '/internals/architecture' },
      { text: 'Decisions', link: '/internals/decisions' },
      { text: 'Sync protocol', link: '/internals/sync-protocol' },
      { text: 'Wrong names and values', link: '/internals/definition-keys' },
      { text: 'Rules', link: '/internals/' },
      { text: 'Contributing', link: '/contributing' }
    ]
  }
]
