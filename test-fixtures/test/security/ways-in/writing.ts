/** Ways in that would show or change a row on the way of a write. Each says whether it did. */
import type { Asked, Which } from './application.js'
import type { Way } from './reading.js'

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const number = { seen: 1, gone: 2 } as const

/** Sends a write, and looks at what is stored, and for the row in the response. */
const write = (
  verb: string, path: (asked: Asked, which: Which) => string,
  body: ((which: Which, asked: Asked) => unknown) | undefined, ofMany = false
): Way => ({
  ofMany,
  takes: async (asked, which) => {
    const before = await asked.stored(which)
    const { status, text } = await asked.ask(verb, path(asked, which), body?.(which, asked))
    const after = await asked.stored(which)
    await asked.reset()
    return (status < 300 && text.includes(`${which} text`)) ||
      after === undefined || after.text !== before.text || after.userId !== before.userId
  }
})

const changed = { text: 'changed' }
/** Without the owner, whom `ownerFromToken` is not asked to set, a replaced row would be nobody's. */
const whole = (which: Which, { models: { userId } }: Asked): object =>
  ({ id: which, text: 'changed', userId, state: 'here' })

export const writing: Readonly<Record<string, Way>> = {
  // First: what brings the rows back is not written down in the list of changes.
  'bulk-update': {
    takes: async (asked, which) => {
      const { models: { Letter } } = asked
      const { rev } = await Letter.getChangeModel().findOne({ where: { modelId: which } })
      const update = { type: 'update', change: { modelId: which, prev: rev, rev: 'x' }, data: { id: which, ...changed } }
      return await write('POST', ({ letters }) => `${letters}/bulk-update`, () => ({ updates: [update] }))
        .takes(asked, which)
    }
  },
  'PATCH by id': write('PATCH', ({ letters }, which) => `${letters}/${which}`, () => changed),
  'PUT by id': write('PUT', ({ letters }, which) => `${letters}/${which}`, whole),
  'POST replace by id': write('POST', ({ letters }, which) => `${letters}/${which}/replace`, whole),
  'DELETE by id': write('DELETE', ({ letters }, which) => `${letters}/${which}`, undefined),
  'PATCH, patchOrCreate': write('PATCH', ({ letters }) => letters, which => ({ id: which, ...changed })),
  'PUT, replaceOrCreate': write('PUT', ({ letters }) => letters, whole),
  'POST replaceOrCreate': write('POST', ({ letters }) => `${letters}/replaceOrCreate`, whole),
  'POST with the id': {
    hasNone: true,
    takes: write('POST', ({ letters }) => letters, whole).takes
  },
  upsertWithWhere: write(
    'POST', ({ letters }, which) => `${letters}/upsertWithWhere?where=${json({ id: which })}`, () => changed, true),
  updateAll: write(
    'POST', ({ letters }, which) => `${letters}/update?where=${json({ id: which })}`, () => changed, true),
  'updateAll of all': write('POST', ({ letters }) => `${letters}/update?where={}`, () => changed, true),
  'hasMany: PUT by id': write(
    'PUT', ({ boxes }, which) => `${boxes}/${number[which]}/letters/${which}`, () => changed),
  'hasMany: DELETE by id': write(
    'DELETE', ({ boxes }, which) => `${boxes}/${number[which]}/letters/${which}`, undefined),
  'hasMany: DELETE of all': write('DELETE', ({ boxes }, which) => `${boxes}/${number[which]}/letters`, undefined, true),
  'hasOne: PUT': write('PUT', ({ boxes }, which) => `${boxes}/${number[which]}/only`, () => changed),
  'hasOne: DELETE': write('DELETE', ({ boxes }, which) => `${boxes}/${number[which]}/only`, undefined),
  'references: PUT by id': write(
    'PUT', ({ boxes }, which) => `${boxes}/${number[which]}/picked/${which}`, () => changed),
  'sync/push': write('POST', ({ letters }) => `${letters}/sync/push`, which => ({
    changes: [{ type: 'update', id: which, data: changed, base: null }]
  }))
}
