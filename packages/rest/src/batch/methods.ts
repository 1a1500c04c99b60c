/** The methods that operations of a batch lead to, and where these write. */
import type { DataSource, SharedMethod } from '@fastback/core'
import { foldPath, relationsOf } from '@fastback/core/remote'
import { callFault } from '../calls/call-fault.js'
import type { ModelPlan } from '../routes/plan.js'
import { notAtomic, notInBatch } from './errors.js'
import type { Batch, BatchOperation } from './operations.js'

interface Route {
  readonly method: SharedMethod
  readonly verb: string
  readonly parts: readonly string[]
}

/**
 * The routes of models, to know before anything runs what a batch does. That an operation got to the method that was
 * found here is checked when it runs: the application's router decides.
 */
export class BatchRoutes {
  readonly #byLength = new Map<number, Route[]>()

  constructor (plans: readonly ModelPlan[]) {
    for (const { method, verbs, url } of plans.flatMap(({ routes }) => routes)) {
      const parts = foldPath(url).split('/').slice(1)
      const same = this.#byLength.get(parts.length) ?? []
      this.#byLength.set(parts.length, same)
      for (const verb of verbs) same.push({ method, verb, parts })
    }
    // Literal parts win over parameters, the first ones first, as in the router.
    for (const routes of this.#byLength.values()) routes.sort((a, b) => compare(a.parts, b.parts))
  }

  /**
   * The method of an operation.
   * @throws RequestError 400 BATCH_OPERATION_NOT_SUPPORTED for what is no route of a model, a stream, a file, a form
   * or a login
   */
  methodOf ({ method: verb, path }: BatchOperation): SharedMethod {
    const parts = partsOf(path)
    const found = this.#byLength.get(parts.length)?.find(route => route.verb === verb && matches(route.parts, parts))
    const fault = found === undefined ? 'it is no route of a model' : callFault(found.method)
    if (found === undefined || fault !== undefined) throw notInBatch(verb, path, fault ?? '')
    return found.method
  }
}

/** Decoded, in lower case; what stands for a value is left as it is. */
const partsOf = (path: string): string[] => {
  try {
    return (path.split('?', 1)[0] as string).replace(/\/$/, '').split('/').slice(1)
      .map(part => foldPath(decodeURIComponent(part)))
  } catch {
    return []
  }
}

const isParameter = (part: string): boolean => part.startsWith(':')

function compare (a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const difference = Number(isParameter(part)) - Number(isParameter(b[i] as string))
    if (difference !== 0) return difference
  }
  return 0
}

const matches = (route: readonly string[], parts: readonly string[]): boolean =>
  // A value that is not known yet is never a literal part: nobody can tell where it would lead.
  route.every((part, i) => isParameter(part) ? parts[i] !== '' : part === parts[i])

/** Whether a method leaves everything as it is, as far as it says. */
const isRead = ({ accessType }: SharedMethod, verb: string): boolean =>
  accessType === undefined ? verb === 'GET' : accessType.toUpperCase() === 'READ'

/** Where the rows are that a method writes; null among them where nothing says. */
function writtenBy (method: SharedMethod): Array<DataSource | null> {
  const { model, relation, nested } = method
  const through = relation === undefined ? undefined : relationsOf(model).get(relation)
  const models = [model, through?.target(), through?.through(), nested?.relation.target()]
  return models.filter(each => each !== undefined).map(each => each.dataSource)
}

/**
 * The data source in whose transaction a batch is done; null where it needs none, because it only reads, or its one
 * write is the last thing that it does.
 * @throws RequestError 422 BATCH_NOT_ATOMIC
 */
export function dataSourceOf ({ operations }: Batch, methods: readonly SharedMethod[]): DataSource | null {
  const writes = methods.flatMap((method, i) => isRead(method, operations[i]?.method as string) ? [] : [i])
  const sources = [...new Set(writes.flatMap(i => writtenBy(methods[i] as SharedMethod)))]
  const [source] = sources
  if (source === undefined) return null
  if (sources.length > 1) throw notAtomic('its operations write to more than one data source')
  if (source?.connector.transactions !== undefined) return source
  if (writes.length === 1 && writes[0] === methods.length - 1) return null
  throw notAtomic(source === null
    ? 'one of its operations belongs to a model without a data source'
    : `the data source "${source.name}" has no transactions`)
}
