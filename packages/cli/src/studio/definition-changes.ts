/** Changes of a folder's definitions from the studio: as `fastback add` and `fastback undo` make them. */
import path from 'node:path'
import { RequestError } from '@fastback/core'
import type { DefinitionChanges, PlannedDefinition, WantedChange } from '@fastback/core/remote'
import type { Addition } from '../add/project.js'
import { keepCopies, undoLast, writeFiles, type ChangeSet } from '../changes/index.js'
import { faultOfName, untriable } from '../model-files/index.js'
import { tryChanges } from './try-changes.js'

export interface FolderChangesOptions {
  /** Whether the server starts again by itself when files change. */
  readonly restarts: boolean
  readonly env: string | undefined
}

/**
 * What changes the definitions of a folder. What is written is tried before, in a copy and a process of its own.
 *
 * ```js
 * definitionChangesIn(server.fastify.registry).by = folderChanges('my-app', { restarts: false, env: undefined })
 * ```
 */
export function folderChanges (dir: string, { restarts, env }: FolderChangesOptions): DefinitionChanges {
  const folder = path.resolve(dir)
  return {
    restarts,
    plan: async change => await refused(folder, 422, async () => {
      mustBeNames(change)
      return planned(await additionFor(folder, change), env)
    }),
    undo: async () => await refused(folder, 409, async () => undoLast(folder))
  }
}

async function additionFor (folder: string, change: WantedChange): Promise<Addition> {
  switch (change.kind) {
    case 'model': {
      const { kind: _, ...model } = change
      return await (await import('../add/model.js')).addModel(folder, model)
    }
    case 'property': {
      const { kind: _, replace: force, ...property } = change
      return await (await import('../add/property.js')).addProperty(folder, { ...property, force })
    }
    case 'relation': {
      const { kind: _, replace: force, ...relation } = change
      return await (await import('../add/relation.js')).addRelation(folder, { ...relation, force })
    }
  }
}

function planned ({ changes, warnings }: Addition, env: string | undefined): PlannedDefinition {
  const reason = untriable(changes)
  return {
    files: changes.changes.map(({ file, change }) => ({ file, isNew: change === 'created', diff: changes.diff(file) })),
    warnings: reason === undefined ? warnings : [...warnings, `it is not tried whether the application starts: ${reason}`],
    write: async () => await refused(changes.folder, 409, async () => await written(changes, reason === undefined, env))
  }
}

async function written (changes: ChangeSet, isTried: boolean, env: string | undefined): Promise<string[]> {
  const { folder, changes: files } = changes
  if (isTried) await tryChanges(folder, files, env)
  writeFiles(folder, files)
  keepCopies(folder, files)
  return files.map(({ file }) => file)
}

/** What a request names is a name, whichever of the functions looks at it. @throws RequestError 422 */
function mustBeNames (change: WantedChange): void {
  const named = change.kind === 'relation'
    ? { model: change.model, to: change.to, name: change.name, foreignKey: change.foreignKey, through: change.through }
    : change.kind === 'property'
      ? { model: change.model, name: change.name, type: change.type }
      : { name: change.name, base: change.base, dataSource: change.dataSource, plural: change.plural }
  const types = change.kind === 'model' ? (change.properties ?? []).map(({ type }) => ['type', type] as const) : []
  for (const [key, value] of [...Object.entries(named), ...types]) {
    const fault = value === undefined ? undefined : faultOfName(value)
    if (fault !== undefined) throw new RequestError(422, `"${key}" cannot be so: ${fault}`, { code: 'INVALID_NAME' })
  }
}

/** What the command would say, without the address of the folder. */
async function refused<T> (folder: string, status: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown, readonly message?: unknown }
    if (typeof code !== 'string' || !code.startsWith('FBK_')) throw error
    throw new RequestError(status, String(message).replaceAll(folder, '.'), { code })
  }
}
