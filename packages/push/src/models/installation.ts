/** What `Installation` has besides its properties: registration without doubles, and its finders. */
import { isRemote, type HookContext, type ModelClass, type ModelInstance, type OperationOptions, type Row } from '@fastback/core'
import { promiseOrCallback, splitCallback, sha256 } from '@fastback/core/connector'
import {
  asApplication, clientValues, createsRow, deleteById, findRows, hasOwnObserver, instantiate, knownUsersIn,
  mustPassCheck, ownRemoteMethod, patchById, ruleOf, setRemoteMethod, withPreset, type TokenOfUser
} from '@fastback/core/remote'
import { badSubscription } from '../errors.js'
import { readSubscription } from '../web/subscription.js'
import { endWithUsers, mustBeUser, typeOfUser } from './owners.js'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** What tells a device from all others of an application. */
export const deviceKey = (appId: unknown, deviceType: unknown, deviceToken: unknown): string | undefined =>
  isText(appId) && isText(deviceType) && isText(deviceToken)
    ? sha256(JSON.stringify([appId, deviceType, deviceToken]), 'hex')
    : undefined

const keyOf = (row: Row): string | undefined => deviceKey(row.appId, row.deviceType, row.deviceToken)

/** Puts everything on the model of a folder, whatever its name, once. */
export function setUpInstallation (Installation: ModelClass): void {
  if (hasOwnObserver(Installation, 'before save', beforeSave)) return
  Installation.observe('before save', beforeSave)
  endWithUsers(Installation)
  const base = Installation.create as (...args: unknown[]) => Promise<unknown>
  Object.defineProperty(Installation, 'create', {
    configurable: true,
    writable: true,
    value (this: ModelClass, ...args: unknown[]) {
      const { values: [data, options = {}], callback } = splitCallback(args)
      const store = async (row: unknown): Promise<unknown> =>
        await register(this, row, options as OperationOptions) ?? await base.call(this, row, options)
      return promiseOrCallback(async () => {
        if (!Array.isArray(data)) return await store(data)
        const stored: unknown[] = []
        for (const row of data) stored.push(await store(row))
        return stored
      }, callback, false, this.registry)
    }
  })
  addFinders(Installation)
}

async function beforeSave (context: HookContext): Promise<void> {
  mustBeUser(context.Model as ModelClass, context.options)
  const { settings } = context.Model as ModelClass
  const row = (context.instance ?? context.data) as Row
  row.modified = new Date()
  settleToken(row, row.deviceType ?? (context.currentInstance as Row | undefined)?.deviceType)
  const whole = context.instance ?? { ...(context.currentInstance as Row | undefined), ...context.data }
  const isUnique = settings.uniqueDevices !== false
  if (context.instance !== undefined || context.currentInstance !== undefined) {
    if (isUnique) row.deviceKey = keyOf(whole as Row)
    else delete row.deviceKey
  } else {
    // A change of many rows cannot say what each one's key is; one that gave them all one token would be a mistake.
    delete row.deviceKey
  }
  const { options } = context
  if (createsRow(context) && isRemote(options) && settings.ownerFromToken !== false) {
    takeOwner(context.Model as ModelClass, row, options)
  }
}

/** The user of the token, and nobody without one (PU-29). */
function takeOwner (Model: ModelClass, row: Row, options: OperationOptions): void {
  const token = (options.accessToken ?? {}) as TokenOfUser
  const { userId } = token
  const names = typeOfUser(Model)
  if (userId === undefined || userId === null) delete row.userId
  else row.userId = String(userId)
  if (names === undefined) return
  const type = row.userId === undefined ? undefined : knownUsersIn(Model.registry).modelOf(token)
  if (type === undefined) delete row[names]
  else row[names] = type
}

/** Whether a row is another user's. Where several models have users, an id without its model is nobody's (S-95). */
function isOfAnother (Model: ModelClass, found: Readonly<Row>, row: Readonly<Row>): boolean {
  if (!isText(found.userId)) return false
  if (String(row.userId ?? '') !== found.userId) return true
  const names = typeOfUser(Model)
  if (names !== undefined) return found[names] !== row[names]
  return knownUsersIn(Model.registry).models().length > 1
}

/**
 * The token of a browser is its subscription in one form, whatever was given as `subscription` or `deviceToken`, and in
 * whatever order its members stood: the same browser must be found again (PU-12, PU-13).
 * @throws ValidationError 422 `INVALID_SUBSCRIPTION`
 */
function settleToken (row: Row, deviceType: unknown): void {
  if (deviceType !== 'web') return
  const given = row.subscription ?? row.deviceToken
  if (given === undefined || given === null) return
  const read = readSubscription(given, { allowLoopback: process.env.NODE_ENV !== 'production' })
  if ('fault' in read) throw badSubscription(read.fault)
  row.deviceToken = JSON.stringify(read.subscription)
  // Anyone who has it can send to the device: no response may show it (PU-31).
  delete row.subscription
}

/**
 * A device that is there already keeps its row (PU-13), unless that is another user's: then the row goes, and whoever
 * has the device now gets one of their own, with nothing of the other's in it.
 * @returns undefined where a row is to be made
 */
async function register (
  Model: ModelClass, data: unknown, options: OperationOptions
): Promise<ModelInstance | undefined> {
  // The row of a device that is there is written as the application writes it.
  mustBeUser(Model, options)
  const row = { ...(data as Row | undefined) }
  settleToken(row, row.deviceType)
  const key = keyOf(row)
  if (key === undefined || Model.settings.uniqueDevices === false) return undefined
  const own = asApplication(options)
  const [found] = await known(Model, row, key, own)
  if (found === undefined) return undefined
  const id = found[Model.getIdName() as string]
  const isOutside = isRemote(options)
  if (isOutside) {
    if (Model.settings.ownerFromToken !== false) takeOwner(Model, row, options)
    if (isOfAnother(Model, found, row)) {
      await deleteById(Model.compiled, id as string, own)
      return undefined
    }
  }
  delete row[Model.getIdName() as string]
  delete row.created
  const changes = isOutside ? await allowedOf(Model, found, row, options) : row
  const patched = await patchById(Model.compiled, id as string, changes, own)
  return instantiate(Model.compiled, patched as Row)
}

/**
 * What a client may say of a device that is there: what the rules say of a new row holds for one that is registered
 * again, and what is said once has been said (security.md, S-172).
 */
async function allowedOf (
  Model: ModelClass, found: Readonly<Row>, row: Readonly<Row>, options: OperationOptions
): Promise<Row> {
  const { compiled, settings: { ownerFromToken } } = Model
  // Neither what the row was found by, nor what the token says, is a change that the client makes.
  const known = new Set<string | undefined>(['appId', 'deviceType', 'deviceToken'])
  if (ownerFromToken !== false) known.add('userId').add(typeOfUser(Model))
  const rule = await ruleOf(compiled, 'create', options)
  const said = Object.fromEntries(Object.entries(row).filter(([name]) => !known.has(name)))
  const judged = clientValues(compiled, said, { kind: 'update', stored: found, reads: rule?.reads })
  const left = Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name)))
  const changes = await withPreset(compiled, { ...judged, ...left }, options)
  await mustPassCheck(compiled, 'create', [{ ...found, ...changes }], options)
  return changes
}

/** By its key; rows of LoopBack's component have none. */
async function known (Model: ModelClass, row: Row, key: string, options: OperationOptions): Promise<Row[]> {
  const quiet = { ...options, notify: false }
  const found = await findRows(Model.compiled, { where: { deviceKey: key }, limit: 1 }, quiet)
  if (found.length > 0) return found
  const { appId, deviceType, deviceToken } = row
  return await findRows(Model.compiled, {
    where: { deviceToken, deviceType, appId, deviceKey: null }, limit: 1
  }, quiet)
}

const query = (arg: string, required = false) => ({ arg, type: 'string', required, http: { source: 'query' } }) as const
const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' } as const

/** `findByApp(deviceType, appId, appVersion)` and the two others (PU-25, PU-26). */
function addFinders (Installation: ModelClass): void {
  const find = Installation.find as (filter: object, options?: object) => Promise<unknown>
  const finders = {
    findByApp: {
      path: '/byApp', accepts: [query('deviceType'), query('appId'), query('appVersion')],
      where: ([deviceType, appId, appVersion]: readonly unknown[]) =>
        ({ appId, deviceType, ...(isText(appVersion) ? { appVersion } : {}) })
    },
    findByUser: {
      path: '/byUser', accepts: [query('deviceType'), query('userId')],
      where: ([deviceType, userId]: readonly unknown[]) => ({ userId, deviceType })
    },
    findBySubscriptions: {
      path: '/bySubscriptions', accepts: [query('deviceType'), query('subscriptions')],
      where: ([deviceType, subscriptions]: readonly unknown[]) => ({
        deviceType,
        or: wordsOf(subscriptions).map(each => ({ subscriptions: each }))
      })
    }
  }
  for (const [name, { path, accepts, where }] of Object.entries(finders)) {
    if (!Object.hasOwn(Installation, name)) {
      Object.defineProperty(Installation, name, {
        configurable: true,
        writable: true,
        value (this: ModelClass, ...args: unknown[]) {
          const { values, callback } = splitCallback(args)
          const given = values.length > accepts.length ? values[accepts.length] as object : undefined
          return promiseOrCallback(
            async () => await find.call(this, { where: defined(where(values)) }, given), callback, false, this.registry
          )
        }
      })
    }
    if (ownRemoteMethod(Installation, name) !== undefined) continue
    setRemoteMethod(Installation, name, {
      isStatic: true,
      description: `Lists installations ${path.slice(1)}`,
      accepts: [...accepts, options],
      returns: { arg: 'data', type: [Installation.modelName], root: true },
      http: { verb: 'get', path },
      accessType: 'READ'
    })
  }
}

/** Texts with commas or blanks, or a list. */
function wordsOf (given: unknown): string[] {
  const texts = Array.isArray(given) ? given.filter(isText) : typeof given === 'string' ? given.split(/[\s,]+/) : []
  return texts.filter(text => text !== '').slice(0, 100)
}

/** A value that was not given is no condition; without any condition nothing is found. */
function defined (where: Row): Row {
  const named = Object.entries(where).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const found = Object.fromEntries(named) as Row & { or?: unknown[] }
  return named.length === 0 || found.or?.length === 0 ? { and: [{ deviceType: '' }, { deviceType: ' ' }] } : found
}
