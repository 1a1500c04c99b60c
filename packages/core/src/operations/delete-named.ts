/**
 * Removing what names rows of others by texts: a column may take other letters for the same (security.md, S-79, S-173).
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { rowId } from '../query/id.js'
import { noOptions, whereIds } from './context.js'
import { deleteRows } from './delete.js'
import { findRows } from './read.js'

/** Texts that are looked for at once. */
const batch = 500

/**
 * Removes the rows whose property is, letter for letter, one of some values.
 *
 * ```js
 * await deleteNamed(RoleMapping.compiled, 'principalId', userIds, options, { principalType: ['USER'] })
 * ```
 * @param options of the removal; observers are told of it unless they say `notify: false`
 * @param also what other properties are one of, letter for letter as well
 */
export async function deleteNamed (
  model: CompiledModel, name: string, values: readonly unknown[], options: OperationOptions = noOptions,
  also: Readonly<Record<string, readonly string[]>> = {}
): Promise<void> {
  const others = Object.entries(also)
  for (let from = 0; from < values.length; from += batch) {
    const wanted = values.slice(from, from + batch)
    const isNamed = among(wanted)
    const asked = [[name, wanted] as const, ...others]
    const where = Object.fromEntries(asked.map(([key, texts]) => [key, { inq: texts }]))
    const rows = await findRows(model, { where }, { ...options, notify: false })
    const found = rows.filter((row: Row) =>
      isNamed(row[name]) && others.every(([key, texts]) => among(texts)(row[key])))
    if (found.length > 0) await deleteRows(model, whereIds(model, found.map(row => rowId(model, row))), options)
  }
}

function among (values: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set(values.map(String))
  return value => texts.has(String(value))
}
