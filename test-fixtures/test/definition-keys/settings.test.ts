// FASTBACK_TEST_FULL: an application for every setting of a model.
/**
 * Every setting of a model does what it says, wherever it stands, or is refused where definitions are strict. A key of
 * the vocabulary that has no entry in the table fails.
 */
import t from 'tap'
import { featuresToCome } from '../../../packages/core/dist/definition/vocabulary/kinds.js'
import { SettingsVocabulary } from '../../../packages/core/dist/definition/vocabulary/settings.js'
import { provenIn } from './proven-in.js'
import { settingEffects, type SettingEffect } from './settings.js'
import { world, type Loose, type Parts } from './world.js'

const page = { name: 'Page', properties: { title: 'string' }, relations: { note: { type: 'belongsTo', model: 'Note' } } }
const note = {
  name: 'Note',
  properties: {
    it: { type: 'string', maxLength: 5 },
    stars: 'number',
    shy: { type: 'string', protected: true },
    fixed: { type: 'string', readOnly: true },
    mail: { type: 'string', format: 'email' },
    box: { type: { w: 'number' } },
    bytes: 'buffer',
    any: 'any'
  },
  relations: { pages: { type: 'hasMany', model: 'Page' } }
}

type Form = (key: string, value: unknown, model: object) => Pick<Parts, 'entries'> & { readonly model: object }
const forms: Readonly<Record<string, Form>> = {
  'the definition': (key, value, model) => ({ model: { ...model, [key]: value } }),
  options: (key, value, model) => ({ model: { ...model, options: { [key]: value } } }),
  settings: (key, value, model) => ({ model: { ...model, settings: { [key]: value } } }),
  'model-config.json': (key, value, model) => ({ model, entries: { Note: { [key]: value } } })
}

/** What a base hands down is decided when the model is defined. */
const ofDefinitions = ['idInjection', 'configureModelMerge', 'excludeBaseProperties']

t.strictSame(
  Object.keys(settingEffects).sort(), Object.keys(SettingsVocabulary.properties).sort(), 'the table has every key'
)

const partsOf = (form: Form, key: string, { value, model = {}, base, parts }: SettingEffect): Parts => {
  const written = form(key, value, { ...note, ...base === undefined ? {} : { base: 'Base' }, ...model })
  return {
    ...parts,
    ...written.entries === undefined ? {} : { entries: written.entries },
    definitions: [written.model, page],
    prior: base === undefined ? [] : [{ name: 'Base', ...base }]
  }
}

const refused = (message: RegExp): Loose => ({ code: 'FBK_CORE_INVALID_DEFINITION', message })

for (const [key, entry] of Object.entries(settingEffects)) {
  if ('provenIn' in entry) {
    provenIn(t, entry, key)
    continue
  }
  if ('refused' in entry) {
    t.test(`${key} is refused`, async t => {
      for (const block of [{ [key]: entry.refused }, { options: { [key]: entry.refused } }]) {
        await t.rejects(world(t, { definitions: [{ ...note, ...block }, page] }), refused(new RegExp(`${key}: has no effect`)))
      }
    })
    continue
  }
  for (const [name, form] of Object.entries(forms)) {
    if (name === 'model-config.json' && ofDefinitions.includes(key)) continue
    t.test(`${key}, in ${name}`, async t => { await entry.shows(t, await world(t, partsOf(form, key, entry))) })
  }
}

t.test('features that others have are refused, or told where definitions are open', async t => {
  for (const key of Object.keys(featuresToCome)) {
    for (const written of [
      { ...note, [key]: true }, { ...note, options: { [key]: true } },
      { ...note, properties: { it: { type: 'string', [key]: true } } }
    ]) {
      await t.rejects(world(t, { definitions: [written, page] }), refused(new RegExp(`${key}: is not supported`)))
      const { told } = await world(t, { definitions: [written, page], settings: { modelDefinitions: 'open' } })
      t.equal(told.filter(line => line.includes(`${key}: is not supported`)).length, 1)
    }
  }
})
