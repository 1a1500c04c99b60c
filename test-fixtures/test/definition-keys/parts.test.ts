/** Every key of relations, rules, methods and arguments does what it says, or is refused in strict definitions. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { definitionLocations } from '../../../packages/core/dist/definition/vocabulary/locations.js'
import { argumentParts, methodParts } from './method-parts.js'
import { relationOptionParts, relationParts, ruleParts, type Part } from './parts.js'
import { world, type Loose } from './world.js'

const tables: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  relation: relationParts,
  'options of a relation': relationOptionParts,
  acl: ruleParts,
  method: methodParts,
  argument: argumentParts
}
const elsewhere = ['settings', 'property']

t.strictSame(Object.keys(definitionLocations).sort(), [...Object.keys(tables), ...elsewhere].sort(), 'each place has a table')

for (const [place, table] of Object.entries(tables)) {
  const { schema, write } = definitionLocations[place] as Loose
  t.strictSame(Object.keys(table).sort(), Object.keys(schema.properties).sort(), `${place}: the table has every key`)
  for (const [key, entry] of Object.entries(table)) {
    if ('askedIn' in entry) {
      t.match(readFileSync(entry.askedIn, 'utf8'), new RegExp(`\\b${key}\\b`), `${place}, ${key}: ${entry.askedIn}`)
    } else if ('refused' in entry) {
      t.test(`${place}, ${key} is refused`, async t => {
        await t.rejects(world(t, { definitions: [{ name: 'Note', ...write({ [key]: entry.refused }) }] }), {
          code: 'FBK_CORE_INVALID_DEFINITION', message: new RegExp(`${key}: has no effect`)
        } as Loose)
      })
    } else t.test(`${place}, ${key}`, async t => { await entry.shows(t, await world(t, entry)) })
  }
}
