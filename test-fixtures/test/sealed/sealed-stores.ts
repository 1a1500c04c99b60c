/** Models with sealed properties on each store, and what the store itself has of their rows. */
import { randomBytes } from 'node:crypto'
import type { Connector, Row, StoredModel } from '@fastback/core'
import { mongodbConnector } from '@fastback/connector-mongodb'
import type { Test } from 'tap'
import { modelsOn, stores, type Stores } from '../agreement-stores.js'

type Loose = any

export const key = (): string => randomBytes(32).toString('base64')
export const [older, newer, search] = [key(), key(), key()] as [string, string, string]
export const sealing = { keys: { older, newer }, current: 'older', searchKey: search }

export const patient = {
  name: 'Patient',
  version: true,
  properties: {
    name: 'string',
    ssn: { type: 'string', sealed: { searchable: true } },
    note: { type: 'string', sealed: true },
    file: { type: 'object', sealed: true },
    tags: { type: ['string'], sealed: true }
  },
  relations: { doctor: { type: 'belongsTo', model: 'Doctor', foreignKey: 'doctorId' } }
}
export const doctor = {
  name: 'Doctor',
  properties: { name: 'string', pin: { type: 'string', sealed: true } },
  relations: { patients: { type: 'hasMany', model: 'Patient', foreignKey: 'doctorId' } }
}
/** An id that callers choose, and a unique value. */
export const account = {
  name: 'Account',
  properties: {
    code: { type: 'string', id: true },
    iban: { type: 'string', sealed: { searchable: true }, unique: true },
    region: 'string'
  }
}

export interface Sealed {
  readonly models: Record<string, Loose>
  /** A model's rows as the store has them. */
  raw (model: string): Promise<Row[]>
  /** Changes a row past everything that seals. */
  tamper (model: string, id: unknown, changes: Row): Promise<void>
}

/** The store under a model, past what seals. */
function under (Model: Loose): { readonly connector: Connector, readonly stored: StoredModel } {
  return { connector: Model.dataSource.connector, stored: Model.compiled.stored }
}

/** Models that are sealed with these settings. */
export async function sealedOn (
  store: Stores, t: Test, settings: object = sealing, definitions: readonly object[] = [patient, doctor, account]
): Promise<Sealed> {
  const main = { ...store.main, sealing: settings }
  const names = definitions.map(each => (each as { name: string }).name)
  const models = await modelsOn({ ...store, main }, t, definitions, names)
  if (store.main.connector === mongodbConnector) await models[names[0] as string].dataSource.autoupdate()
  const all = { where: undefined, order: [], limit: undefined, skip: 0, include: [] }
  return {
    models,
    async raw (name) {
      const { connector, stored } = under(models[name])
      const select = { names: stored.properties.map(each => each.name), extra: 'none' } as const
      return await connector.find(stored, { ...all, select }, {})
    },
    async tamper (name, id, changes) {
      const { connector, stored } = under(models[name])
      await connector.updateById(stored, id as never, changes, {})
    }
  }
}

/** Declares a test for each store that there is. */
export function onStores (t: Test, name: string, work: (t: Test, store: Stores) => Promise<void>): void {
  for (const [storeName, open] of stores) {
    if (storeName === 'sqlite beside memory') continue
    t.test(`${name}: ${storeName}`, async t => {
      const opened = await open(t)
      if (opened === undefined) { t.pass('there is no such server'); return }
      try {
        await work(t, opened)
      } finally {
        await opened.done?.()
      }
    })
  }
}
