/** What the parser prepares once per compiled model: paths of its properties, selections, spellings of secret names. */
import type { QueriedModel } from './queried-model.js'
import type { PropertyPath, Selection } from './ast.js'

const QUERY_NAMES = Symbol('fastback.queryNames')

export interface QueryNames {
  /** The declared properties. */
  readonly paths: ReadonlyMap<string, PropertyPath>
  readonly hiddenAndProtected: ReadonlySet<string>
  /** Distinct selections by key, least recently made first; bounded (`maxSelections`). */
  readonly selections: Map<string, Selection>
  /** Largest page; undefined without a limit. */
  readonly maxLimit: number | undefined
}

/** Selections kept per model. Clients that ask for more different ones make the oldest be prepared again. */
export const maxSelections = 200

/** The prepared names of a model. They hang on the compiled model and go with it. */
export function queryNames (model: QueriedModel): QueryNames {
  const holder = model as { [QUERY_NAMES]?: QueryNames }
  const known = holder[QUERY_NAMES]
  if (known !== undefined) return known
  const names: QueryNames = {
    paths: new Map(
      model.properties.map(({ name, type, sealed }) => [
        name, { property: name, path: [], type, declared: true, ...(sealed === undefined ? {} : { sealed }) }
      ])
    ),
    hiddenAndProtected: new Set([...model.hidden, ...model.protectedNames]),
    selections: new Map(),
    maxLimit: model.settings.maxLimit ?? pageOfDataSource(model)
  }
  Object.defineProperty(model, QUERY_NAMES, { value: names })
  return names
}

function pageOfDataSource (model: QueriedModel): number | undefined {
  const limit = model.Model.dataSource?.settings.maxLimit
  return typeof limit === 'number' ? limit : undefined
}

/**
 * Whether a name is another spelling of one of `names`: in another case, in quotes, with blanks, or after the model's
 * own name (`Customer.pin`). Such names are refused rather than treated as unknown (security.md, S-11).
 */
export function isSpellingOf (names: ReadonlySet<string>, given: string, modelName: string): boolean {
  if (names.size === 0) return false
  const [first, second] = given.split('.', 2).map(bare) as [string, string | undefined]
  const wanted = second !== undefined && first === bare(modelName) ? second : first
  for (const name of names) if (bare(name) === wanted) return true
  return false
}

const bare = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}_$-]/gu, '')
