/** What to say at the start of a folder that was written for version 2. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Folder } from '../load/folder.js'
import { JsonFile } from './json-file.js'
import { positionAt } from './position.js'
import type { Found } from './rule.js'
import { isBefore3 } from './rules/dependencies.js'
import { upgradeRules } from './rules.js'
import { onDisk, readSources } from './sources.js'

/** As many places of a point are named; of the rest their number is. */
const mostPlaces = 5

/**
 * One message with all points of the upgrade that concern a folder whose package.json asks for LoopBack 2; undefined
 * for any other folder.
 */
export function upgradeReport (folder: Folder): string | undefined {
  const range = new JsonFile('package.json', onDisk(path.join(folder.root, 'package.json'))).value('dependencies', 'loopback')
  if (typeof range !== 'string' || !isBefore3(range)) return undefined
  const sources = readSources(folder)
  const lines = upgradeRules.flatMap(({ rule, what, find }) => {
    const found = find(sources, {})
    return found.length === 0 ? [] : [`  - ${rule} ${what}: ${named(folder, found)}`]
  })
  return [
    `This folder was written for LoopBack 2 (package.json: ${range}). ${lines.length} of the ${upgradeRules.length} points of the ` +
      'upgrade to version 3 concern it; "fastback upgrade DIR" describes each, and "--fix" repairs what it can:',
    ...lines
  ].join('\n')
}

function named (folder: Folder, found: readonly Found[]): string {
  const places = [...new Set(found.map(({ file, offset }) =>
    `${file}:${positionAt(readFileSync(path.join(folder.root, file), 'utf8'), offset).line}`))]
  const more = places.length - mostPlaces
  return places.slice(0, mostPlaces).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
