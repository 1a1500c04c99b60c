/** Several models in one call (SYD-25). */
import { isRemote, type DataSource, type ModelClass, type ModelRegistry, type OperationOptions } from '@fastback/core'
import { charactersOf } from '@fastback/core/connector'
import { hasShared, isPublic, optionsArgument, setRemoteMethod } from '@fastback/core/remote'
import { ChangeLog } from './change-log.js'
import { malformed, refusedRow, unknownModel } from './errors.js'
import { preparePull, type Pulled, type ReadPage } from './pull.js'
import { isSynced } from './sync-settings.js'
import { MultiPullResponse, SeveralBody } from './wire-schemas.js'

const kSeveral = Symbol('fastback.sync.several')
/** Each model has rules of its own, which are asked. */
const open = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: 'pull' }]
/** Models in one call. */
const most = 100

interface Several {
  readonly models?: unknown
  readonly filters?: unknown
  readonly limit?: unknown
  readonly version?: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** @throws RequestError as `pull`; 404 for a model that is none, or not available this way; 401 or 403 */
async function pullSeveral (
  registry: ModelRegistry, body: unknown, options: OperationOptions
): Promise<{ models: Record<string, Pulled> }> {
  const { models, filters = {}, limit, version } = (isObject(body) ? body : {}) as Several
  if (!isObject(models) || !isObject(filters)) throw malformed('"models" is an object with a cursor, or null, for each model.')
  const names = Object.keys(models)
  if (names.length > most) throw malformed(`"models" has more than ${String(most)} models.`)
  const asked = names.map(name => modelOf(registry, name, options))
  // Who may not see one of them gets none.
  for (const Model of asked) await mustBeOpen(Model, options)
  const pages: Array<[string, ReadPage]> = []
  for (const Model of asked) {
    const { modelName } = Model
    const request = { after: models[modelName] ?? undefined, filter: filters[modelName], limit, version }
    pages.push([modelName, await preparePull(Model, request, options)])
  }
  const stores = new Set(asked.flatMap(({ dataSource }) => dataSource ?? []))
  return await inSnapshot([...stores], async () => {
    const found: Array<[string, Pulled]> = []
    // What one response may have (security.md, S-180): of the models that are left, a change tells that there are more.
    let left = isRemote(options) ? registry.queryLimits.bytes : Infinity
    for (const [modelName, read] of pages) {
      const page = await read({ isSnapshot: true, ...(left < 0 ? { most: 1 } : {}) }) as Pulled
      left -= charactersOf(page.changes)
      found.push([modelName, page])
    }
    return { models: Object.fromEntries(found) }
  })
}

/** Reads of these stores are of one moment each, where they have transactions and changes never come late. */
async function inSnapshot<T> ([dataSource, ...others]: readonly DataSource[], read: () => Promise<T>): Promise<T> {
  if (dataSource === undefined) return await read()
  const { ambient, connector: { transactions, holdsLocks } } = dataSource
  const readOthers = async (): Promise<T> => await inSnapshot(others, read)
  // Within a transaction of the caller its isolation holds.
  if (transactions === undefined || holdsLocks !== true || ambient.handle !== undefined) return await readOthers()
  return await ambient.run(transactions, readOthers, { isolationLevel: 'REPEATABLE READ' })
}

function modelOf (registry: ModelRegistry, name: string, options: OperationOptions): ModelClass {
  const Model = registry.findModel(name) as ModelClass | undefined
  const isThere = Model !== undefined && isSynced(Model) && ChangeLog.find(Model) !== undefined
  if (!isThere) throw unknownModel(name)
  if (isRemote(options) && (isPublic(Model) !== true || !hasShared(Model, ['syncPull']))) throw unknownModel(name)
  return Model
}

async function mustBeOpen (Model: ModelClass, options: OperationOptions): Promise<void> {
  if (await (options.rowGuard?.opens(Model, 'syncPull', 'READ') ?? true)) return
  throw refusedRow(options.accessToken != null)
}

/** Publishes `POST /sync/pull`, unless the application has a model of that name. */
export function addSeveral ({ registry, settings }: ModelClass): void {
  const made: { Sync?: ModelClass | undefined } = registry.slot(kSeveral, () => ({ Sync: define(registry) }))
  // Rules that open it are rules for those who have others.
  const { acls } = settings
  if (made.Sync !== undefined && Array.isArray(acls) && acls.length > 0) made.Sync.settings.acls = open
}

function define (registry: ModelRegistry): ModelClass | undefined {
  if (registry.findModel('Sync') !== undefined) {
    registry.log.warn({ model: 'Sync' }, 'There is a model "Sync": POST /sync/pull, for several models in one call, is left off')
    return undefined
  }
  const Sync = registry.defineModel({
    name: 'Sync',
    base: 'Model',
    http: { path: '/sync' }
  } as never) as unknown as ModelClass
  Object.defineProperty(Sync, 'pull', {
    value: async (body: unknown, options: OperationOptions = {}) => await pullSeveral(registry, body, options),
    configurable: true,
    writable: true
  })
  setRemoteMethod(Sync, 'pull', {
    description: 'What changed in several models since the cursors of last time.',
    accepts: [
      { arg: 'models', type: 'object', required: true, http: { source: 'body' }, jsonSchema: SeveralBody as unknown as Record<string, unknown> },
      optionsArgument
    ],
    returns: MultiPullResponse,
    http: { verb: 'post', path: '/pull', status: 200 },
    accessType: 'READ',
    judgesRows: true,
    responses: { 404: 'There is no such model', 409: 'CLIENT_OUTDATED', 410: 'CURSOR_EXPIRED' }
  })
  return registry.attach(Sync, null as never, { public: true })
}
