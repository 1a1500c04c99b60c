/** What is wrong with instances, as LoopBack code reads it; and validations that code takes back. */
import t from 'tap'
import { ModelRegistry, ValidationError } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

function define (settings: Record<string, unknown> = {}): Loose {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  const Note = db.createModel('Note', { title: 'string', stars: 'number' }, settings) as Loose
  Note.validatesPresenceOf('title')
  return Note
}

t.test('errors with codes, on the instance and beside the error of a callback', async t => {
  const Note = define()
  const note = new Note({})
  t.equal(note.isValid(), false)
  t.strictSame({ ...note.errors }, { title: ['can\'t be blank'] })
  t.strictSame(note.errors.codes, { title: ['presence'] })
  t.match(new ValidationError(note), {
    message: 'The `Note` instance is not valid. Details: `title` can\'t be blank (value: undefined).',
    details: { context: 'Note', codes: { title: ['presence'] } }
  })
  note.title = 'a'
  await note.save()
  t.equal(note.errors, false)
  await t.rejects(note.updateAttributes({ title: '' }))
  t.strictSame(note.errors.codes, { title: ['presence'] })
  await new Promise<void>(resolve => Note.create({ stars: 1 }, (error: Error, refused: Loose) => {
    t.equal(error.name, 'ValidationError')
    t.match(refused, { stars: 1, errors: { title: ['can\'t be blank'] } })
    t.notOk(Object.keys(refused).includes('errors'))
    resolve()
  }))
})

t.test('isValid hands data and options on', t => {
  const Note = define()
  Note.validate('stars', function (fail: () => void, options: Loose) { if (options.strictly === true) fail() })
  const note = new Note({ title: 'a' })
  t.equal(note.isValid(), true)
  note.isValid((valid: boolean) => {
    t.equal(valid, false)
    t.end()
  }, {}, { strictly: true })
})

t.test('validations are listed with their options, and deleted', async t => {
  const Note = define()
  Note.validatesLengthOf('title', { min: 3 })
  t.strictSame(Note.validations.title, [
    { validation: 'presence', options: {} }, { validation: 'length', options: { min: 3 } }
  ])
  delete Note.validations
  t.match(await Note.create([{}, {}]), [{ id: 1 }, { id: 2 }], 'seen where something is wrong')
  Note.validatesPresenceOf('stars')
  t.strictSame(Object.keys(Note.validations), ['stars'])
  delete Note.validations
  Note.validatesPresenceOf('title')
  t.strictSame(Object.keys(Note.validations), ['title'], 'seen where the next one is declared')
})

t.test('updateAll validates where validateUpdate says so, or the caller', async t => {
  const Note = define({ validateUpdate: true })
  await Note.create({ title: 'a', stars: 1 })
  await t.rejects(Note.updateAll({}, { stars: 2 }) as Promise<unknown>, { details: { codes: { title: ['presence'] } } } as Loose)
  t.strictSame(await Note.updateAll({}, { stars: 2 }, { validate: false }), { count: 1 })
  const Other = define()
  await Other.create({ title: 'a' })
  t.strictSame(await Other.updateAll({}, { stars: 2 }), { count: 1 })
  await t.rejects(Other.updateAll({}, { stars: 2 }, { validate: true }), { statusCode: 422 } as Loose)
})

t.test('data of the name errors stays what it is', async t => {
  const Note = define()
  const note = await Note.create({ title: 'a', errors: 'of the caller' })
  t.equal(await note.isValid(), true)
  t.strictSame((await Note.findById(note.id)).toJSON(), { title: 'a', id: note.id, errors: 'of the caller' })
  t.equal((await note.updateAttributes({ title: 'b' })).errors, 'of the caller')
})
