// FASTBACK_TEST_FULL: an application for every setting of a property.
/**
 * Every key that properties know does what it says, in JSON as in TypeBox, or is refused where definitions are strict.
 * A key of the vocabulary that has no entry in the table fails.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { PropertyVocabulary } from '../../../packages/core/dist/definition/vocabulary/property.js'
import { propertyEffects, type PropertyEffect } from './properties.js'
import { world, type Loose } from './world.js'

const page = {
  name: 'Page', properties: { title: 'string' }, relations: { note: { type: 'belongsTo', model: 'Note' } }
}
const note = (properties: unknown, model: object = {}): object =>
  ({ name: 'Note', strict: true, ...model, properties, relations: { pages: { type: 'hasMany', model: 'Page' } } })

type Form = (key: string, effect: PropertyEffect) => object | undefined
const forms: Readonly<Record<string, Form>> = {
  JSON: (key, { type = 'string', beside, value, model }) =>
    note({ it: { type, ...beside, [key]: value } }, model),
  'a member of TypeBox': (key, { schema = (options: object): TSchema => Type.Optional(Type.String(options)), beside, value, model }) => {
    if (schema === null) return undefined
    const written = schema({ ...beside, [key]: value })
    return note(Type.Object({ it: key === 'required' ? written : Type.Optional(written) }), model)
  },
  'one property of TypeBox': (key, { schema = (options: object): TSchema => Type.String(options), beside, value, model }) =>
    schema === null || key === 'required' ? undefined : note({ it: schema({ ...beside, [key]: value }) }, model)
}

t.strictSame(
  Object.keys(propertyEffects).sort(), Object.keys(PropertyVocabulary.properties).sort(), 'the table has every key'
)

for (const [key, entry] of Object.entries(propertyEffects)) {
  if ('refused' in entry) {
    t.test(`${key} is refused`, async t => {
      const refusal = { code: 'FBK_CORE_INVALID_DEFINITION', message: new RegExp(`${key}: has no effect`) } as Loose
      const json = note({ it: { type: 'string', [key]: entry.refused } })
      await t.rejects(world(t, { definitions: [json] }), refusal, 'in JSON')
      if (entry.inJsonAlone === true) return
      const typeBox = note(Type.Object({ it: Type.String({ [key]: entry.refused }) }))
      await t.rejects(world(t, { definitions: [typeBox] }), refusal, 'in TypeBox')
    })
    continue
  }
  for (const [form, write] of Object.entries(forms)) {
    const definition = write(key, entry)
    if (definition === undefined) continue
    t.test(`${key}, ${form}`, async t => {
      const { shown = [], settings = {} } = entry
      await entry.shows(t, await world(t, { definitions: [definition, page], shown, settings }))
    })
  }
}
