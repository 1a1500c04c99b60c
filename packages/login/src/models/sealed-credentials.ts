/**
 * The layer between models of accounts and their store: what providers gave us is read in the clear in process alone.
 */
import type { Connector, MaybePromise, ModelRegistry, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Sealing } from '@fastback/core/remote'

export interface SealingOf {
  /** Undefined until logins are set up: then nothing is stored that would be read in the clear. */
  sealing: Sealing | undefined
}

const kSealing = Symbol('fastback.login.sealing')

/** How a registry encrypts: known to the layer before the options are. */
export const sealingOf = (registry: ModelRegistry): SealingOf =>
  registry.slot<SealingOf>(kSealing, () => ({ sealing: undefined }))

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** @param holder where the keys are, once the options are read */
export function sealedCredentials (holder: SealingOf, warn: (message: string) => void) {
  const sealed = (row: Row): Row => {
    if (!('credentials' in row) || isEmpty(row.credentials)) return row
    const { sealing } = holder
    return { ...row, credentials: sealing?.isOn === true ? { sealed: sealing.seal(row.credentials) } : null }
  }
  const opened = (row: Row): Row => {
    const { credentials } = row
    const text = credentials !== null && typeof credentials === 'object' ? (credentials as { sealed?: unknown }).sealed : undefined
    // Rows of LoopBack are in plain text, and are encrypted when they are written next.
    if (typeof text !== 'string') return row
    const value = holder.sealing?.open(text)
    if (value === undefined) warn('login: credentials of an account cannot be decrypted: the option "secret" lacks their secret')
    return { ...row, credentials: value ?? null }
  }
  const maybe = (row: MaybePromise<Row | undefined>): MaybePromise<Row | undefined> =>
    chain(row, found => found === undefined ? undefined : opened(found))
  return (connector: Connector): Connector => ({
    name: connector.name,
    defaultMigration: connector.defaultMigration,
    generatedIdType: connector.generatedIdType,
    connect: () => connector.connect(),
    disconnect: () => connector.disconnect(),
    ping: () => connector.ping(),
    attach: model => { connector.attach(model) },
    autoupdate: models => connector.autoupdate(models),
    automigrate: models => connector.automigrate(models),
    isActual: models => connector.isActual(models),
    ...(connector.transactions === undefined ? {} : { transactions: connector.transactions }),
    create: (model, row, options) => chain(connector.create(model, sealed(row), options), opened),
    createMany: (model, rows, options) =>
      chain(connector.createMany(model, rows.map(sealed), options), stored => stored.map(opened)),
    findOrCreate: (model, query, row, options) =>
      chain(connector.findOrCreate(model, query, sealed(row), options), found =>
        ({ ...found, row: opened(found.row) })),
    find: (model, query, options) => chain(connector.find(model, query, options), rows => rows.map(opened)),
    findById: (model, id, select, options) => maybe(connector.findById(model, id, select, options)),
    count: (model, where, options) => connector.count(model, where, options),
    updateAll: (model, where, changes, options) => connector.updateAll(model, where, sealed(changes), options),
    deleteAll: (model, where, options) => connector.deleteAll(model, where, options),
    updateById: (model, id, changes, options) => maybe(connector.updateById(model, id, sealed(changes), options)),
    replaceById: (model, id, row, options) => maybe(connector.replaceById(model, id, sealed(row), options))
  })
}
