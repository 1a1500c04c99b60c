/** Changes of rows that were written in one transaction, in as few statements as there can be. */
import type { MaybePromise, Row, StoreOptions } from '@fastback/core'
import { chain, eachInSequence, parseFilter } from '@fastback/core/connector'
import type { ChangeLog } from './change-log.js'
import { addNote, withNote } from './change-note.js'
import type { ChangeRow } from './change.js'
import { changeId } from './revision.js'
import { tombstoneColumns, type Tombstone } from './tombstones.js'

/** Rows of one statement. */
const batch = 512

/** Writes down that rows were written, or that they are gone. */
export function writeDown (
  log: ChangeLog, rows: readonly Row[], what: 'wrote' | 'removed', options: StoreOptions
): MaybePromise<void> {
  if (rows.length < 2 || !log.writesTogether || options.transaction === undefined) {
    return eachInSequence(rows, row => log[what](row, options))
  }
  const parts = Array.from(
    { length: Math.ceil(rows.length / batch) }, (_, i) => rows.slice(i * batch, (i + 1) * batch)
  )
  return chain(log.checkpoints.held(options), checkpoint =>
    eachInSequence(parts, part => together(log, part, what, checkpoint, options)))
}

/** Who writes a row has locked it: nobody else writes its change meanwhile. */
function together (
  log: ChangeLog, rows: readonly Row[], what: 'wrote' | 'removed', checkpoint: number, options: StoreOptions
): MaybePromise<void> {
  const { Model, Change: { compiled }, store, tombstones } = log
  const ids = rows.map(row => log.idOf(row))
  const query = parseFilter(compiled, { where: log.among(ids) }, compiled.parsing.internal)
  return chain(store.find(compiled, { ...query, select: compiled.selectStored }, options), found => {
    const known = new Map(found.map(row => [String(row.id), row]))
    const changes: Row[] = []
    const graves: Tombstone[] = []
    const back: string[] = []
    for (const [i, row] of rows.entries()) {
      const key = changeId(Model.modelName, ids[i])
      const stored = known.get(key)
      const { change, note } = withNote(stored)
      const next = log.next(change, note, what === 'wrote' ? log.stateOf(row) : log.goneOf(row), checkpoint)
      const now = { ...change, ...next?.changes } as ChangeRow
      if (next !== undefined) changes.push(addNote({ ...stored, ...next.changes }, next.note ?? {}))
      if (next?.left !== undefined) graves.push(next.left)
      if (next?.isBack === true) back.push(key)
      if (what === 'removed' && now.rev === null) graves.push(log.graveOf(now, tombstoneColumns(Model, row)))
    }
    return eachInSequence([
      () => changes.length === 0 ? undefined : store.together?.put(compiled, changes, options),
      () => tombstones.putMany(graves, options),
      () => tombstones.remove(back, options)
    ], work => work())
  })
}
