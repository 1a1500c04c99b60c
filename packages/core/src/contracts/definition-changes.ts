/** Who changes the files of an application's definitions for pages of those who develop it. */
import type { ModelRegistry } from '../interfaces/model-registry.js'

/** A property as forms have it. */
export interface WantedProperty {
  readonly name: string
  readonly type: string
  readonly required?: boolean | undefined
  /** As a text, read by the type. */
  readonly default?: string | undefined
}

/** What is to be added or replaced. */
export type WantedChange =
  | {
    readonly kind: 'model'
    readonly name: string
    readonly base?: string | undefined
    readonly dataSource?: string | undefined
    readonly public?: boolean | undefined
    readonly plural?: string | undefined
    readonly properties?: readonly WantedProperty[] | undefined
  }
  | WantedProperty & { readonly kind: 'property', readonly model: string, readonly replace?: boolean | undefined }
  | {
    readonly kind: 'relation'
    readonly model: string
    readonly type: 'belongsTo' | 'hasMany' | 'hasOne' | 'hasAndBelongsToMany'
    readonly to: string
    readonly name?: string | undefined
    readonly foreignKey?: string | undefined
    readonly through?: string | undefined
    readonly replace?: boolean | undefined
  }

export interface PlannedFile {
  /** Relative to the application folder. */
  readonly file: string
  readonly isNew: boolean
  /** In the unified format. */
  readonly diff: string
}

/** What would be written. */
export interface PlannedDefinition {
  readonly files: readonly PlannedFile[]
  readonly warnings: readonly string[]
  /** Writes it, where the files are as they were and the application still starts. Gives the names of the files. */
  write (): Promise<readonly string[]>
}

export interface DefinitionChanges {
  /** Whether the server starts again by itself when files change. */
  readonly restarts: boolean
  /** @throws RequestError 422 that says what cannot be */
  plan (change: WantedChange): Promise<PlannedDefinition>
  /** Puts back what was written last. @throws RequestError 409 where that cannot be */
  undo (): Promise<readonly string[]>
}

const kChanges = Symbol('fastback.definitionChanges')

interface Kept { by: DefinitionChanges | undefined }

/**
 * Who changes an application's definitions; undefined where nobody does: it was not started by a tool that writes them.
 *
 * ```js
 * definitionChangesIn(app.registry).by?.restarts // true with `fastback serve --watch`
 * ```
 */
export const definitionChangesIn = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot<Kept>(kChanges, () => ({ by: undefined }))
