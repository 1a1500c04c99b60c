/**
 * Soft delete on every store equals a plain model of it: random lives of authors and their notes, which are put away,
 * restored and purged, and after each step all that finds rows is asked.
 */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'
import { runsOf } from '../../runs.mjs'

const numRuns = runsOf(12)
type Loose = any

/** Those of MongoDB are no numbers otherwise. */
const id = { type: 'number', id: true, generated: false }
const definitions = [
  {
    name: 'SoftAuthor',
    softDelete: true,
    version: true,
    forceId: false,
    properties: { id, slug: { type: 'string', index: { unique: true } }, stars: 'number' },
    relations: {
      notes: { type: 'hasMany', model: 'SoftNote', foreignKey: 'authorId', onDelete: 'cascade' },
      plain: { type: 'hasMany', model: 'PlainNote', foreignKey: 'authorId' }
    }
  },
  {
    name: 'SoftNote',
    softDelete: { property: 'goneAt' },
    forceId: false,
    properties: { id, text: 'string', authorId: 'number' },
    relations: { author: { type: 'belongsTo', model: 'SoftAuthor', foreignKey: 'authorId' } }
  },
  {
    name: 'PlainNote',
    forceId: false,
    properties: { id, text: 'string', authorId: 'number' },
    relations: { author: { type: 'belongsTo', model: 'SoftAuthor', foreignKey: 'authorId' } }
  }
]

interface Author { id: number, slug: string, stars: number, deletion?: number | undefined }
interface Note { id: number, authorId: number, deletion?: number | undefined }

/** What soft delete is. */
class Plain {
  readonly authors: Author[] = []
  readonly notes: Note[] = []
  #deletions = 0
  #ids = 0

  nextId = (): number => ++this.#ids

  author = (id: number): Author | undefined => this.live.find(each => each.id === id)
  get live (): Author[] { return this.authors.filter(({ deletion }) => deletion === undefined) }
  get liveNotes (): Note[] { return this.notes.filter(({ deletion }) => deletion === undefined) }
  isFree = (slug: string): boolean => this.live.every(each => each.slug !== slug)

  deleteAuthors (which: (author: Author) => boolean): void {
    const deletion = ++this.#deletions
    for (const author of this.live.filter(which)) {
      author.deletion = deletion
      for (const note of this.liveNotes) if (note.authorId === author.id) note.deletion = deletion
    }
  }

  deleteNote (id: number): void {
    const note = this.liveNotes.find(each => each.id === id)
    if (note !== undefined) note.deletion = ++this.#deletions
  }

  restoreAuthor (author: Author): void {
    const { deletion } = author
    author.deletion = undefined
    for (const note of this.notes) {
      if (note.authorId === author.id && note.deletion === deletion) note.deletion = undefined
    }
  }
}

type Step =
  | { readonly do: 'create' | 'update', readonly at: number, readonly slug: string, readonly stars: number }
  | { readonly do: 'note' | 'delete' | 'deleteNote' | 'restore' | 'restoreNote' | 'upsert', readonly at: number }
  | { readonly do: 'deleteWhere' | 'updateWhere', readonly stars: number }
  | { readonly do: 'purge' }

const slug = fc.constantFrom('a', 'b', 'c', 'd')
const stars = fc.integer({ min: 0, max: 3 })
const at = fc.nat(7)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('create' as const, 'update' as const), at, slug, stars }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('note' as const, 'delete' as const, 'deleteNote' as const, 'restore' as const, 'restoreNote' as const, 'upsert' as const),
      at
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('deleteWhere' as const, 'updateWhere' as const), stars }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const) }) }
)

const code = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(() => 'done', error => (error as { statusCode?: unknown }).statusCode)

async function run (plain: Plain, { SoftAuthor, SoftNote, PlainNote }: Loose, given: Step): Promise<void> {
  const byIndex = <T>(list: readonly T[], i: number): T | undefined => list[i % Math.max(1, list.length)]
  switch (given.do) {
    case 'create': {
      const free = plain.isFree(given.slug)
      const data = { id: plain.nextId(), slug: given.slug, stars: given.stars }
      const made = SoftAuthor.create(data)
      if (free) plain.authors.push({ ...data, id: Number((await made).id) })
      else mustBe(await code(made), 422, 'a taken slug')
      return
    }
    case 'update': {
      const author = byIndex(plain.authors, given.at)
      if (author === undefined) return
      const isThere = author.deletion === undefined
      const free = plain.isFree(given.slug) || (isThere && author.slug === given.slug)
      const done = await code(SoftAuthor.patchById(author.id, { slug: given.slug, stars: given.stars }))
      if (!isThere) mustBe(done, 404, 'a patch of a row that is put away')
      else mustBe(done, free ? 'done' : 422, 'a patch')
      if (isThere && free) Object.assign(author, { slug: given.slug, stars: given.stars })
      return
    }
    case 'note': {
      const author = byIndex(plain.live, given.at)
      if (author === undefined) return
      const made = await SoftNote.create({ id: plain.nextId(), text: 'n', authorId: author.id })
      await PlainNote.create({ id: plain.nextId(), text: 'p', authorId: author.id })
      plain.notes.push({ id: Number(made.id), authorId: author.id })
      return
    }
    case 'delete': {
      const author = byIndex(plain.authors, given.at)
      if (author === undefined) return
      const { count } = await SoftAuthor.deleteById(author.id)
      mustBe(Number(count), author.deletion === undefined ? 1 : 0, 'deleted')
      plain.deleteAuthors(each => each === author)
      return
    }
    case 'deleteNote': {
      const note = byIndex(plain.notes, given.at)
      if (note === undefined) return
      await SoftNote.deleteById(note.id)
      plain.deleteNote(note.id)
      return
    }
    case 'deleteWhere':
      await SoftAuthor.deleteAll({ stars: given.stars })
      plain.deleteAuthors(each => each.stars === given.stars)
      return
    case 'updateWhere': {
      const { count } = await SoftAuthor.updateAll({ stars: given.stars }, { stars: 0 })
      const these = plain.live.filter(each => each.stars === given.stars)
      mustBe(Number(count), these.length, 'updated')
      for (const each of these) each.stars = 0
      return
    }
    case 'restore': {
      const author = byIndex(plain.authors, given.at)
      if (author === undefined) return
      const may = author.deletion === undefined ? 404 : plain.isFree(author.slug) ? 'done' : 422
      mustBe(await code(SoftAuthor.restoreById(author.id)), may, 'a restore')
      if (may === 'done') plain.restoreAuthor(author)
      return
    }
    case 'restoreNote': {
      const note = byIndex(plain.notes, given.at)
      if (note === undefined) return
      mustBe(await code(SoftNote.restoreById(note.id)), note.deletion === undefined ? 404 : 'done', 'a restore of a note')
      note.deletion = undefined
      return
    }
    case 'upsert': {
      const author = byIndex(plain.authors, given.at)
      if (author === undefined) return
      const done = await code(SoftAuthor.upsert({ id: author.id, stars: 3 }))
      if (author.deletion === undefined) author.stars = 3
      else mustBe([404, 409, 422].includes(Number(done)), true, `an upsert of a row that is put away: ${String(done)}`)
      return
    }
    case 'purge': {
      const { count } = await SoftAuthor.purge()
      mustBe(count, plain.authors.length - plain.live.length, 'purged')
      plain.authors.splice(0, Infinity, ...plain.live)
    }
  }
}

function mustBe (found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what}: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`)
  }
}

const ids = (rows: ReadonlyArray<{ id: unknown }>): number[] => rows.map(({ id }) => Number(id)).sort((a, b) => a - b)

/** Everything that finds rows. */
async function compare (plain: Plain, { SoftAuthor, SoftNote, PlainNote }: Loose): Promise<void> {
  const live = ids(plain.live)
  const has = (author: Author): boolean => plain.liveNotes.some(({ authorId }) => authorId === author.id)
  mustBe(ids(await SoftAuthor.find()), live, 'find')
  mustBe(Number(await SoftAuthor.count()), live.length, 'count')
  mustBe(ids(await SoftAuthor.find({ deleted: 'with' })), ids(plain.authors), 'with')
  const gone = await SoftAuthor.find({ deleted: 'only' })
  mustBe(ids(gone), ids(plain.authors.filter(each => each.deletion !== undefined)), 'only')
  mustBe(gone.every((row: Loose) => row.deletedAt instanceof Date), true, 'deletedAt')
  mustBe(ids(await SoftAuthor.find({ where: { notes: { some: {} } } })), ids(plain.live.filter(has)), 'some')
  mustBe(ids(await SoftAuthor.find({ where: { notes: { none: {} } } })), ids(plain.live.filter(each => !has(each))), 'none')
  mustBe(ids(await SoftNote.find({ where: { 'author.stars': { gte: 0 } } })),
    ids(plain.liveNotes.filter(({ authorId }) => plain.author(authorId) !== undefined)), 'a dotted path')
  const plainNotes = await PlainNote.find({ where: { 'author.stars': { gte: 0 } }, include: 'author' })
  for (const each of plainNotes) mustBe(plain.author(Number(each.toJSON().author?.id))?.id, Number(each.authorId), 'a parent')
  const orphans = await PlainNote.find({ where: { author: { none: {} } }, include: 'author' })
  for (const each of orphans) mustBe(each.toJSON().author ?? null, null, 'no parent')
  for (const each of await SoftAuthor.find({ include: 'notes' })) {
    mustBe(ids(each.toJSON().notes), ids(plain.liveNotes.filter(({ authorId }) => authorId === Number(each.id))), 'include')
  }
  const groups = await SoftAuthor.aggregate({ groupBy: ['stars'], aggregate: { n: { count: '*' } } })
  const total = groups.reduce((sum: number, { n }: { n: unknown }) => sum + Number(n), 0)
  mustBe(total, live.length, 'aggregate')
  const ordered = await SoftAuthor.find({ order: ['notes.$count DESC', 'id ASC'] })
  const countOf = ({ id }: Author): number => plain.liveNotes.filter(({ authorId }) => authorId === id).length
  const wanted = [...plain.live].sort((a, b) => countOf(b) - countOf(a) || a.id - b.id).map(({ id }) => id)
  mustBe(ordered.map(({ id }: Author) => Number(id)), wanted, 'an order by what is counted')
  for (const author of plain.authors) {
    const isThere = author.deletion === undefined
    mustBe(await SoftAuthor.exists(author.id), isThere, 'exists')
    mustBe((await SoftAuthor.findById(author.id)) !== null, isThere, 'findById')
    mustBe(await SoftAuthor.findOne({ where: { id: author.id } }) !== null, isThere, 'findOne')
  }
}

for (const [name, open] of stores) {
  t.test(name, async (t: Test) => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    // Unique values are guarded by indexes, which are made by a migration.
    const main = name === 'mongodb' ? { ...opened.main, migrate: 'reset' } : opened.main
    const names = ['SoftAuthor', 'SoftNote', 'PlainNote']
    const models = await modelsOn({ ...opened, main }, t, definitions, names, ['SoftNote']) as Loose
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async steps => {
      for (const Model of [models.SoftNote, models.PlainNote, models.SoftAuthor]) {
        await Model.deleteAll({})
        if (Model.modelName !== 'PlainNote') await Model.purge()
      }
      const plain = new Plain()
      for (const given of steps) await run(plain, models, given)
      await compare(plain, models)
    }), { numRuns, seed: 54, includeErrorInReport: true })
    t.pass('as the plain model has it')
  })
}
