/** The layer between applications and their store: keys in `pushSettings` are in the clear in process alone (PU-19). */
import type { Connector, MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { Sealing } from '@fastback/core/remote'

/** Where secrets stand in the settings. */
const secretPaths: ReadonlyArray<readonly [string, ...string[]]> = [
  ['apns', 'token', 'key'],
  ['apns', 'keyData'],
  ['apns', 'pfx'],
  ['apns', 'passphrase'],
  ['fcm', 'privateKey'],
  ['fcm', 'serviceAccount'],
  ['web', 'privateKey'],
  ['gcm', 'serverApiKey']
]

export const sealingOf = (secrets: readonly string[]): Sealing => new Sealing(secrets, 'fastback push settings')

type Change = (value: unknown) => unknown

/** A copy with the values at the paths changed. */
function at (value: unknown, [name, ...rest]: readonly string[], change: Change): unknown {
  if (name === undefined) return value === undefined || value === null ? value : change(value)
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: at((value as Row)[name], rest, change) }
}

const everySecret = (settings: unknown, change: Change): unknown =>
  secretPaths.reduce((changed, path) => at(changed, path, change), settings)

/** @param warn told when no secret opens a value, which is left out then */
export function sealedSettings (sealing: Sealing, warn: () => void) {
  const withSettings = (row: Row, change: Change): Row =>
    row.pushSettings === undefined || row.pushSettings === null
      ? row
      : { ...row, pushSettings: everySecret(row.pushSettings, change) }
  const sealed = (row: Row): Row => !sealing.isOn
    ? row
    : withSettings(row, value => Sealing.isSealed(value) ? value : sealing.seal(value))
  // Rows of LoopBack are in plain text, and are encrypted when they are written next.
  const opened = (row: Row): Row => withSettings(row, value => {
    if (!Sealing.isSealed(value)) return value
    const text = sealing.open(value)
    if (text === undefined) warn()
    return text
  })
  const maybe = (row: MaybePromise<Row | undefined>): MaybePromise<Row | undefined> =>
    chain(row, found => found === undefined ? undefined : opened(found))
  return (store: Connector): Connector => ({
    name: store.name,
    defaultMigration: store.defaultMigration,
    generatedIdType: store.generatedIdType,
    connect: () => store.connect(),
    disconnect: () => store.disconnect(),
    ping: () => store.ping(),
    attach: model => { store.attach(model) },
    autoupdate: models => store.autoupdate(models),
    automigrate: models => store.automigrate(models),
    isActual: models => store.isActual(models),
    ...(store.transactions === undefined ? {} : { transactions: store.transactions }),
    create: (model, row, options) => chain(store.create(model, sealed(row), options), opened),
    createMany: (model, rows, options) =>
      chain(store.createMany(model, rows.map(sealed), options), stored => stored.map(opened)),
    findOrCreate: (model, query, row, options) =>
      chain(store.findOrCreate(model, query, sealed(row), options), found => ({ ...found, row: opened(found.row) })),
    find: (model, query, options) => chain(store.find(model, query, options), rows => rows.map(opened)),
    findById: (model, id, select, options) => maybe(store.findById(model, id, select, options)),
    count: (model, where, options) => store.count(model, where, options),
    updateAll: (model, where, changes, options) => store.updateAll(model, where, sealed(changes), options),
    deleteAll: (model, where, options) => store.deleteAll(model, where, options),
    updateById: (model, id, changes, options) => maybe(store.updateById(model, id, sealed(changes), options)),
    replaceById: (model, id, row, options) => maybe(store.replaceById(model, id, sealed(row), options))
  })
}
