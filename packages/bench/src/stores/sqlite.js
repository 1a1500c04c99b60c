import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_FOLDER } from '../paths.js'
import { seedArticles, seedFile, seedTasks, seedTrusted, trimFile, trimTrusted } from '../seed.js'

/** A file, laid out as the server wants it. */
export function sqlitePlace (server, name) {
  const file = join(DATA_FOLDER, `${name}.sqlite`)
  mkdirSync(DATA_FOLDER, { recursive: true })
  if (server.dataSet === 'articles') seedArticles(file)
  else if (server.dataSet === 'tasks') seedTasks(file)
  else if (server.dataSet === 'trusted') seedTrusted(file)
  else seedFile(file, server.layout)
  server.prepareFile?.(file)
  return {
    file,
    trim: async () => server.dataSet === 'trusted' ? trimTrusted(file) : trimFile(file),
    processes: async () => [],
    remove: async () => { for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true }) }
  }
}
