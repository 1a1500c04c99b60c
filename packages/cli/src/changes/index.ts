/** What commands that write into an application share. */
export { carryOut, writing, type Outcome, type Plan, type WritingArgs } from './carry-out.js'
export { ChangeSet, jsonText, type ChangeKind, type FileChange } from './change-set.js'
export { keepCopies, undoLast } from './undo.js'
export { writeFiles } from './write-files.js'
