/** What stands between a model's operations and its store. */
import type { Connector } from '../data-source/connector.js'
import { shortcuts } from '../data-source/opening-connector.js'
import type { TextSupport } from '../data-source/text-support.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'

/**
 * Whether nothing stands between a model and its store that reads and writes rows in another form. What leaves rows out
 * can be said in a query (`among`).
 *
 * ```js
 * isInStore(Note.compiled) // true
 * ```
 */
export const isInStore = ({ connector, isOnlyNarrowed, Model }: CompiledModel): boolean =>
  isOnlyNarrowed || connector === Model.state.dataSource?.store

/**
 * The store with functions in the place of its own.
 *
 * ```js
 * withFunctions(connector, { deleteAll () { throw new Error('Nothing is deleted here.') } })
 * ```
 * @param own those functions; what the store would read or write past them, `text`, `together`, `sets` and `units`, is
 * not had unless `own` brings it as well
 */
export function withFunctions (connector: Connector, own: Partial<Connector>): Connector {
  return new Proxy(connector, {
    get (target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof Connector]
      if (shortcuts.has(key)) return undefined
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) as unknown : value
    }
  })
}

/**
 * The reads of a store as text, for a layer that changes what is written and nothing of what is read.
 *
 * ```js
 * withFunctions(connector, { text: { ...textReads(connector.text), updateById } })
 * ```
 */
export const textReads = (text: TextSupport): Omit<TextSupport, 'updateById'> => ({
  find: text.find.bind(text),
  findById: text.findById.bind(text),
  ...(text.findByIdWhere === undefined ? {} : { findByIdWhere: text.findByIdWhere.bind(text) }),
  findKeyed: text.findKeyed.bind(text),
  ...(text.findBeside === undefined ? {} : { findBeside: text.findBeside.bind(text) }),
  ...(text.findIncluding === undefined ? {} : { findIncluding: text.findIncluding.bind(text) })
})
