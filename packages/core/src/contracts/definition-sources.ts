/** Where what an application consists of is written, for pages and tools that show it to those who make it. */
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'

/** A file of the application, and where in it. */
export interface SourceLocation {
  /** Relative to the application folder. */
  readonly file: string
  /** Counted from 1; absent where the file alone is known. */
  readonly line?: number
}

/** Files as they were when they were read. */
export interface WrittenSources {
  /** Where a model's definition is, or a setting of it; undefined for models that no file of the folder defines. */
  model (Model: ModelClass, keys?: ReadonlyArray<string | number>): SourceLocation | undefined
  /** Where an access rule of a model is written, by the model or one that it extends. */
  rule (Model: ModelClass, rule: Readonly<Record<string, unknown>>): SourceLocation | undefined
}

/** Reads the files; they are small, and may have changed since the last time. */
export type DefinitionSources = () => Promise<WrittenSources>

const kSources = Symbol('fastback.definitionSources')

interface Kept { of: DefinitionSources }

/**
 * What reads the sources of an application's definitions. Without a folder there are none.
 *
 * ```js
 * const { model } = await definitionSourcesIn(app.registry).of()
 * model(app.models.Note) // { file: 'common/models/note.json', line: 1 }
 * ```
 */
export const definitionSourcesIn = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot<Kept>(kSources, () => ({ of: async () => none }))

const none: WrittenSources = { model: () => undefined, rule: () => undefined }
