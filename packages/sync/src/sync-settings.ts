/** What the setting `sync` of a model says, with its defaults. */
import type { ModelClass, ModelRegistry } from '@fastback/core'

/** Whose row stays where client and server changed one (SYD-24). */
export type ConflictPolicy = 'client' | 'server' | 'fields' | 'manual'

export interface SyncSettings {
  /** Further columns that are kept to tell who could read a row. */
  readonly keep: readonly string[]
  readonly conflict: ConflictPolicy
  /** Whether pushes of single properties are merged. */
  readonly merge: boolean
  readonly version: number | undefined
  readonly secret: string | undefined
  /** Seconds. */
  readonly idempotencyTtl: number
}

/** What an application says for all its models. */
export interface SyncOptions {
  /** The version of the rows: clients that name another are refused. Default: none; a model's own goes first. */
  readonly version?: number | undefined
  /** What cursors are signed with. Default: a key that is made once and kept in the data source. */
  readonly secret?: string | undefined
}

type Written = Partial<Omit<SyncSettings, 'merge'>> & { readonly merge?: string }

const kOptions = Symbol('fastback.sync.options')
const week = 604_800

/** Where the options of the application are. */
export const optionsOf = (registry: ModelRegistry): { given: SyncOptions } =>
  registry.slot(kOptions, () => ({ given: {} }))

export function syncSettings (Model: ModelClass): SyncSettings {
  const { sync } = Model.settings
  const written: Written = typeof sync === 'object' && sync !== null ? sync : {}
  const { given } = optionsOf(Model.registry)
  const conflict = written.conflict ?? 'manual'
  return {
    keep: written.keep ?? [],
    conflict,
    merge: written.merge === 'fields' || conflict === 'fields',
    version: written.version ?? given.version,
    secret: written.secret ?? given.secret,
    idempotencyTtl: written.idempotencyTtl ?? week
  }
}

/** Whether a model has the routes of today: those that track their changes do, but for `sync: false`. */
export const isSynced = ({ settings }: ModelClass): boolean =>
  settings.trackChanges === true && settings.sync !== false
