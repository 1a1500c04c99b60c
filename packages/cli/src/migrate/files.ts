/** A folder of numbered files of statements: `0001.db.sql`, `0002.db.fill-names.sql`; `db` is the data source. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MigrationFile, MigrationPlan } from '@fastback/core'
import { MigrationFilesError } from '../errors.js'
import { fileText } from './text.js'

export interface FileOf extends MigrationFile {
  readonly number: number
  readonly dataSource: string
}

const form = /^(\d+)\.([^.]+)(?:\.[^.]+)?\.sql$/

/**
 * The files in the order of their numbers, then of their names. Files that are no `.sql` stay unread; a folder that is
 * not there has none.
 * @param known names of the application's data sources
 * @throws FBK_CLI_MIGRATION_FILES for a name of another form, or of another data source
 */
export async function readMigrationFiles (folder: string, known: readonly string[]): Promise<FileOf[]> {
  const names = (await listed(folder)).filter(name => name.endsWith('.sql'))
  const files = await Promise.all(names.map(async (name): Promise<FileOf> => {
    const [, number, dataSource] = form.exec(name) ?? []
    if (dataSource === undefined) throw refuse(folder, name, 'is not called NUMBER.DATASOURCE.sql or NUMBER.DATASOURCE.WORDS.sql')
    if (!known.includes(dataSource)) throw refuse(folder, name, `names the data source "${dataSource}", which is none of ${known.join(', ')}`)
    return { name, number: Number(number), dataSource, text: await readFile(path.join(folder, name), 'utf8') }
  }))
  return files.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1))
}

async function listed (folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const refuse = (folder: string, name: string, why: string): Error =>
  new MigrationFilesError(path.join(folder, name), why)

export const filesOf = (files: readonly FileOf[], dataSource: string): FileOf[] =>
  files.filter(file => file.dataSource === dataSource)

/**
 * Writes the changes into a file of their own, with the next number.
 * @param pending names of files that are not applied: the changes might stand in them already
 * @returns its path
 * @throws FBK_CLI_MIGRATION_FILES where some are pending
 */
export async function writeMigrationFile (
  folder: string, files: readonly FileOf[], plan: MigrationPlan, pending: readonly string[]
): Promise<string> {
  const [waiting] = pending
  if (waiting !== undefined) {
    throw refuse(folder, waiting, 'is not applied, and may hold the same changes. Apply it first (--files), or remove it')
  }
  const taken = await listed(folder)
  const next = Math.max(0, ...taken.map(name => Number(form.exec(name)?.[1] ?? 0))) + 1
  const file = path.join(folder, `${String(next).padStart(4, '0')}.${plan.dataSource}.sql`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, fileText(plan), { flag: 'wx' })
  return file
}
