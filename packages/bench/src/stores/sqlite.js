import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_FOLDER } from '../paths.js'
import { seedArticles, seedFile, seedTasks, trimFile } from '../seed.js'

/** A file, laid out as the server wants it. */
export function sqlitePlace (server, name) {
  const file = join(DATA_FOLDER, `${name}.sqlite`)
  mkdirSync(DATA_FOLDER, { recursive: true })
  if (server.dataSet === 'articles') seedArticles(file)
  else if (server.dataSet === 'tasks') seedTasks(file)
  else seedFile(file, server.layout)
  server.prepareFile?.(file)
  return {
    file,
    trim: async () => trimFile(file),
    processes: async () => [],
    remove: async () => { for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true }) }
  }
}
