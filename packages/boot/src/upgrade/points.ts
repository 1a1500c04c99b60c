/**
 * The points at which version 3.0 differs from version 2 (specification, Versioning), each with a look at where a
 * folder is concerned. Code is looked at line by line: a computed name is not seen.
 */
import type { CodeFile, JsonFile, Place, Sources } from './sources.js'

export interface UpgradePoint {
  /** `UP-01` … `UP-19`, by the number of the specification. */
  readonly rule: string
  /** What to do. */
  readonly what: string
  find (sources: Sources): Array<Place | undefined>
}

const getters =
  'compress|cookieParser|cookieSession|csrf|directory|favicon|logger|methodOverride|responseTime|session|timeout|vhost'

const inCode = (pattern: RegExp) => ({ code }: Sources): Place[] => code.flatMap((file: CodeFile) => file.find(pattern))

/** Entries of middleware.json by their names. */
const middlewareNamed = ({ middleware }: Sources, pattern: RegExp): Array<Place | undefined> =>
  middleware.keys().flatMap(phase =>
    middleware.keys(phase).filter(name => pattern.test(name)).map(name => middleware.find(phase, name)))

type Find = UpgradePoint['find']

const inModels = (find: (model: JsonFile) => Array<Place | undefined>): Find => ({ models }) => models.flatMap(find)

const isPersisted = (model: JsonFile): boolean => ['PersistedModel', undefined].includes(model.value('base') as string)

export const upgradePoints: readonly UpgradePoint[] = [
  {
    rule: 'UP-01',
    what: 'depend on version 3 of the framework and on strong-error-handler, and no longer on the juggler by itself',
    find: ({ manifest }) => [
      manifest.find('dependencies', 'loopback'),
      manifest.find('dependencies', 'loopback-datasource-juggler')
    ]
  },
  {
    rule: 'UP-02',
    what: 'put "strong-error-handler" into the phase "final:after" in place of the old error handler',
    find: sources => [
      ...middlewareNamed(sources, /^(loopback#errorhandler|errorhandler)$/i),
      sources.config.find('remoting', 'errorHandler', 'disableStackTrace'),
      ...inCode(/\bloopback\.errorHandler\b/)(sources)
    ]
  },
  {
    rule: 'UP-03',
    what: 'use a middleware package of its own in place of each getter of the framework',
    find: sources => [
      ...middlewareNamed(sources, new RegExp(`^loopback#(${getters.replace('favicon|', '')})$`)),
      ...inCode(new RegExp(`\\bloopback\\.(${getters})\\b`))(sources)
    ]
  },
  {
    rule: 'UP-04',
    what: 'PUT replaces a row whole: set "replaceOnPUT" to false, or let clients send PATCH',
    find: inModels(model => isPersisted(model) && model.find('name') !== undefined &&
      model.find('replaceOnPUT') === undefined && model.find('options', 'replaceOnPUT') === undefined
      ? [model.find('name')]
      : [])
  },
  {
    rule: 'UP-05',
    what: 'a mixin that no folder of "_meta.mixins" has stops the start',
    find: inModels(model => model.keys('mixins').map(name => model.find('mixins', name)))
  },
  {
    rule: 'UP-06',
    what: 'static methods need no "isStatic"; methods of instances begin with "prototype."',
    find: sources => [
      ...inModels(model => model.keys('methods').map(name => model.find('methods', name, 'isStatic')))(sources),
      ...inCode(/\bisStatic\s*:|\.disableRemoteMethod\(/)(sources)
    ]
  },
  {
    rule: 'UP-07',
    what: 'names of properties have no dots',
    find: inModels(model => model.keys('properties').filter(name => name.includes('.'))
      .map(name => model.find('properties', name)))
  },
  {
    rule: 'UP-08',
    what: 'a model called File needs another name ("plural": "files" keeps its paths)',
    find: inModels(model => model.value('name') === 'File' ? [model.find('name')] : [])
  },
  {
    rule: 'UP-09',
    what: 'rows of models with generated ids are made without one, or the model says "forceId": false',
    find: inCode(/\.create\(\s*\{\s*['"]?id['"]?\s*:/)
  },
  {
    rule: 'UP-10',
    what: 'create() with a callback returns nothing',
    find: inCode(/(=|return)\s*[\w.]+\.create\(.*,\s*(function\b|\w+\s*=>|\([^)]*\)\s*=>)/)
  },
  { rule: 'UP-11', what: 'hooks "loaded" have ctx.data, always', find: inCode(/\.observe\(\s*['"]loaded['"]/) },
  {
    rule: 'UP-12',
    what: 'the events changed, deleted and deletedAll are hooks now ("after save", "after delete")',
    find: inCode(/\.on\(\s*['"](changed|deleted|deletedAll)['"]/)
  },
  {
    rule: 'UP-13',
    what: 'updateOrCreate() takes one object, and no list',
    find: inCode(/\.(updateOrCreate|upsert|patchOrCreate)\(\s*\[/)
  },
  {
    rule: 'UP-14',
    what: 'a user model declares credentials, challenges, status, created and lastUpdated itself, where it uses them',
    find: inCode(/\.(credentials|challenges|lastUpdated)\b/)
  },
  {
    rule: 'UP-15',
    what: 'arguments are taken more strictly: an object in a query must be JSON',
    find: inCode(/type\s*:\s*['"](object|any)['"].*source\s*:\s*['"]query['"]/)
  },
  {
    rule: 'UP-16',
    what: 'there is no current context: hand it on by the options of methods',
    find: sources => [
      ...(sources.config.value('remoting', 'context') === false ? [] : [sources.config.find('remoting', 'context')]),
      ...middlewareNamed(sources, /^loopback#(per-request-)?context$/),
      ...inCode(/\b(getCurrentContext|runInContext|createContext)\b|\bloopback\.context\b/)(sources)
    ]
  },
  {
    rule: 'UP-17',
    what: 'promises are those of Node.js',
    find: inCode(/\bglobal\.Promise\s*=|\.(spread|tap|nodeify|asCallback)\(/)
  },
  {
    rule: 'UP-18',
    what: 'other origins are allowed by "cors" in middleware.json, phase "initial", and "remoting.cors" is false',
    find: sources => sources.config.value('remoting', 'cors') === false ||
      middlewareNamed(sources, /^cors$/).length > 0
      ? []
      : [sources.config.find('remoting', 'cors') ?? sources.config.find('remoting') ?? sources.config.find('restApiRoot')]
  },
  {
    rule: 'UP-19',
    what: 'a version in paths stays as it is: the framework has no scheme for it',
    find: ({ config }) =>
      /\/v\d/.test(String(config.value('restApiRoot') ?? '')) ? [config.find('restApiRoot')] : []
  }
]
