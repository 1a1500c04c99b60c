/** What the setting `history` of a model says. */
import type { ModelSettings } from '../definition/definition.js'

/** The setting, written out. */
export interface HistorySetting {
  /** Seconds that versions are stored; undefined: for ever. The last one of a row that is there stays. */
  readonly keepFor: number | undefined
  /** How many versions of a row are stored; undefined: all. */
  readonly keepVersions: number | undefined
}

/**
 * What a model's setting `history` says; undefined for models without.
 *
 * ```js
 * historyIn({ history: { keepVersions: 20 } }) // { keepFor: undefined, keepVersions: 20 }
 * ```
 */
export function historyIn ({ history }: Pick<ModelSettings, 'history'>): HistorySetting | undefined {
  if (history === undefined || history === null || history === false) return undefined
  if (typeof history !== 'object') return { keepFor: undefined, keepVersions: undefined }
  return { keepFor: history.keepFor, keepVersions: history.keepVersions }
}

/**
 * The name of the model that has the versions of another one's rows.
 *
 * ```js
 * historyName('Note') // 'NoteHistory'
 * ```
 */
export const historyName = (model: string): string => `${model}History`
