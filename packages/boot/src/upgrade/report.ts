/** What to say of a folder that was written for version 2. */
import path from 'node:path'
import type { Folder } from '../load/folder.js'
import { upgradePoints } from './points.js'
import { JsonFile, readSources, type Place } from './sources.js'

/** As many places of a point are named; of the rest their number is. */
const mostPlaces = 5

/**
 * One message with all points of the upgrade that concern a folder whose package.json asks for LoopBack 2; undefined
 * for any other folder.
 */
export function upgradeReport (folder: Folder): string | undefined {
  const manifest = new JsonFile('package.json', path.join(folder.root, 'package.json'))
  const range = manifest.value('dependencies', 'loopback')
  if (typeof range !== 'string' || !isBefore3(range)) return undefined
  const sources = readSources(folder, manifest)
  const lines = upgradePoints.flatMap(({ rule, what, find }) => {
    const places = find(sources).filter(place => place !== undefined)
    return places.length === 0 ? [] : [`  - ${rule} ${what}: ${named(places)}`]
  })
  return [
    `This folder was written for LoopBack 2 (package.json: ${range}). ${lines.length} of the 19 points of the upgrade to ` +
      'version 3 concern it:',
    ...lines
  ].join('\n')
}

/** Whether the lowest version of a range is below 3: `^2.22.0`, `~2.0`, `2.x`, `>=1`. */
const isBefore3 = (range: string): boolean => /^[\^~>=v\s]*[012](\.|$)/.test(range)

function named (places: readonly Place[]): string {
  const said = places.slice(0, mostPlaces).map(({ file, line }) => `${file}:${line}`)
  const more = places.length - said.length
  return said.join(', ') + (more === 0 ? '' : ` and ${more} more`)
}
