/** Large values piece by piece: others have the event loop in between (security.md, S-101). */
import type { MaybePromise } from '@fastback/core'
import { byClock } from '@fastback/core/connector'

/**
 * The lines of a small value below the elements of these names, the last of them its own.
 *
 * ```js
 * write(['response', 'result'], [1, 2]) // ['  <result>1</result>', '  <result>2</result>']
 * ```
 */
export type WriteAt = (names: readonly string[], value: unknown) => string[]

type Pauses = ReturnType<typeof byClock>

/** Values of so many nodes are written at once: that takes some milliseconds. */
const small = 100

/** The lines of a value of any size. */
export function linesOf (names: readonly string[], value: unknown, write: WriteAt): MaybePromise<string[]> {
  return nodesIn(value) <= small ? write(names, value) : inParts(names, value, write, byClock())
}

async function inParts (
  names: readonly string[], value: unknown, write: WriteAt, pauses: Pauses
): Promise<string[]> {
  if (pauses.isDue) await pauses.rest()
  if (nodesIn(value) <= small || value === null || typeof value !== 'object') return write(names, value)
  const lines: string[] = []
  const add = (more: readonly string[]): void => { for (const line of more) lines.push(line) }
  if (Array.isArray(value)) {
    for (const items of together(value)) {
      if (pauses.isDue) await pauses.rest()
      const [first] = items
      // How a list in a list is written, only the writer knows.
      add(isLarge(first) ? await inParts(names, first, write, pauses) : write(names, items))
    }
    return lines
  }
  for (const [name, each] of Object.entries(value)) add(await inParts([...names, name], each, write, pauses))
  if (lines.length === 0) return write(names, {})
  // What the writer makes of the name, and how far it goes in, shows with something small inside.
  const around = write(names, { x: 1 })
  return [around[0] as string, ...lines, around.at(-1) as string]
}

/** Items of a list, as many at a time as are small together. */
function * together (list: readonly unknown[]): Iterable<readonly unknown[]> {
  for (let from = 0; from < list.length;) {
    let to = from + 1
    for (let nodes = nodesIn(list[from]); to < list.length; to++) {
      nodes += nodesIn(list[to])
      if (nodes > small) break
    }
    yield list.slice(from, to)
    from = to
  }
}

/** Whether an object has more in it than is written at once. */
export const isLarge = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && nodesIn(value) > small

/** Nodes of a value, counted no further than matters. */
function nodesIn (value: unknown, most = small): number {
  if (value === null || typeof value !== 'object') return 1
  let nodes = 1
  for (const each of Object.values(value)) {
    nodes += nodesIn(each, most - nodes)
    if (nodes > most) break
  }
  return nodes
}
