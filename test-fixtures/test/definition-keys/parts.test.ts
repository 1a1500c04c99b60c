/**
 * Every key of definitions, relations, rules, methods and arguments does what it says, or is refused where definitions
 * are strict.
 */
import t from 'tap'
import { definitionLocations } from '../../../packages/core/dist/definition/vocabulary/locations.js'
import { DefinitionVocabulary } from '../../../packages/core/dist/definition/vocabulary/settings.js'
import { provenIn } from './proven-in.js'
import { definitionParts } from './definition.js'
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

const places: Loose = {
  ...definitionLocations, definition: { schema: DefinitionVocabulary, write: (part: object) => part }
}

for (const [place, table] of Object.entries({ ...tables, definition: definitionParts })) {
  const { schema, write } = places[place]
  t.strictSame(Object.keys(table).sort(), Object.keys(schema.properties).sort(), `${place}: the table has every key`)
  for (const [key, entry] of Object.entries(table)) {
    if ('provenIn' in entry) {
      provenIn(t, entry, key)
    } else if ('refused' in entry) {
      t.test(`${place}, ${key} is refused`, async t => {
        await t.rejects(world(t, { definitions: [{ name: 'Note', ...write({ [key]: entry.refused }) }] }), {
          code: 'FBK_CORE_INVALID_DEFINITION', message: new RegExp(`${key}: has no effect`)
        } as Loose)
      })
    } else t.test(`${place}, ${key}`, async t => { await entry.shows(t, await world(t, entry)) })
  }
}
