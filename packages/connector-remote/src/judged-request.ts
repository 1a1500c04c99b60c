/**
 * Methods that are not told who calls them (`createChangeStream`, methods of the application's own without `options`):
 * a hook of the model judges their filters before they go on (security.md, S-93).
 */
import { Transform, type Readable } from 'node:stream'
import type { ArgumentDefinition, ModelClass, OperationOptions, Row, SharedMethod } from '@fastback/core'
import { storedInstance } from './instances.js'
import { filterToHandOn, sightOf, whereToHandOn } from '@fastback/core/remote'

/** What the hook sees of a call. */
export interface RequestContext {
  readonly method: Pick<SharedMethod, 'accepts' | 'builtin'> & { readonly model?: ModelClass }
  readonly args: Record<string, unknown>
  readonly options: OperationOptions
}

/** Marks options of a change stream that somebody outside opens. */
const seenBy = Symbol('fastback.seenBy')

type Marked = Row & { [seenBy]?: ((row: Row) => boolean) | null }

/** @throws RequestError 400 */
export async function judgeRequest (Model: ModelClass, { method, args, options }: RequestContext): Promise<void> {
  if (method.builtin === 'createChangeStream') {
    const given = (args.options ?? {}) as Row
    const where = await whereToHandOn(Model.compiled, given.where, options, {})
    const marked: Marked = { ...given, ...(where === undefined ? {} : { where }) }
    marked[seenBy] = await sightOf(Model.compiled, options) ?? null
    args.options = marked
    return
  }
  // Those that are told judge for themselves.
  if (method.builtin !== undefined || method.accepts.some(isOptions)) return
  for (const argument of method.accepts) await judgeArgument(Model, argument, args, options)
}

const isOptions = ({ arg, http }: ArgumentDefinition): boolean =>
  arg === 'options' && (http === 'optionsFromRequest' || typeof http === 'function')

async function judgeArgument (
  Model: ModelClass, argument: ArgumentDefinition, args: Record<string, unknown>, options: OperationOptions
): Promise<void> {
  const kind = filterKind(argument)
  if (kind === undefined || args[argument.arg] === undefined) return
  args[argument.arg] = kind === 'where'
    ? await whereToHandOn(Model.compiled, args[argument.arg], options, {})
    : (await filterToHandOn(Model.compiled, args[argument.arg], options)).json
}

/** An object by the name of a filter is one, unless its definition says `modelFilter: false`. */
export function filterKind ({ arg, type, modelFilter }: ArgumentDefinition): 'filter' | 'where' | undefined {
  if (modelFilter === false || (arg !== 'filter' && arg !== 'where')) return undefined
  return type === undefined || type === 'object' || type === 'any' || type === Object ? arg : undefined
}

/** The events of a stream as its caller may see them: without hidden properties and rows that are out of sight. */
export function seenEvents (Model: ModelClass, options: unknown, events: Readable): Readable {
  const isInSight = (options as Marked | undefined)?.[seenBy]
  if (isInSight === undefined) return events
  const seen = new Transform({
    objectMode: true,
    transform (event: Row, _encoding, done) {
      done(null, eventFor(Model, isInSight, event))
    }
  })
  events.on('error', error => seen.destroy(error))
  seen.on('close', () => { events.destroy() })
  return events.pipe(seen)
}

/** Undefined: nothing is told. A row that has left the caller's sight is gone for them. */
function eventFor (Model: ModelClass, isInSight: ((row: Row) => boolean) | null, event: Row): Row | undefined {
  const { data, ...rest } = event
  if (data === undefined || data === null || typeof data !== 'object') return rest
  const instance = storedInstance(Model, data as Row) as { toObject (): Row, toJSON (): Row }
  if (isInSight === null || isInSight(instance.toObject())) return { ...rest, data: instance.toJSON() }
  return rest.type === 'update' ? { ...rest, type: 'remove' } : undefined
}
