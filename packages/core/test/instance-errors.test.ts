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

t.test('rules that add errors of their own', async t => {
  const Note = define()
  Note.validate('whole', function (this: Loose, fail: Loose) {
    if (this.title === 'bad') {
      this.errors.add('title', 'cannot be bad', 'bad-title')
      this.errors.add('stars', 'says nothing')
      fail(false)
    }
  })
  Note.validateAsync('later', function (this: Loose, fail: Loose, done: () => void) {
    setImmediate(() => {
      if (this.title === 'worse') { this.errors.add('title', 'cannot be worse'); fail(false) }
      done()
    })
  })
  const note = new Note({ title: 'bad' })
  await t.rejects(note.save(), {
    statusCode: 422,
    details: {
      codes: { title: ['bad-title'], stars: ['invalid'] },
      messages: { title: ['cannot be bad'], stars: ['says nothing'] }
    }
  } as never)
  t.strictSame({ ...note.errors }, { title: ['cannot be bad'], stars: ['says nothing'] })
  await t.rejects(Note.create({ title: 'worse' }), { details: { codes: { title: ['invalid'] } } } as never)
  const made = await Note.create({ title: 'good' })
  t.equal(made.errors, false, 'nothing is wrong after validation')
})

t.test('an isValid of the application decides', async t => {
  const Note = define()
  const note = await Note.create({ title: 'a' })
  note.isValid = (done: (valid: boolean) => void) => { setImmediate(done, false) }
  await t.rejects(note.save(), { name: 'ValidationError', statusCode: 422 })
  await note.save({ validate: false })
  note.isValid = (done: (valid: boolean) => void) => { done(false) }
  t.throws(() => note.save({ throws: true }), { name: 'ValidationError' })
  note.isValid = (done: (valid: boolean) => void) => { done(true) }
  await note.save({ throws: true })
})

t.test('isValid tells of values that cannot be stored; the message of a rule for dates wins', t => {
  const registry = new ModelRegistry()
  const Note = registry.defineModel({ name: 'Note', properties: { at: 'date', until: 'date' } }) as Loose
  Note.validatesDateOf('until', { message: 'must be a day' })
  const note = new Note({ at: 'never', until: 'never' })
  t.equal(note.isValid(), false)
  t.strictSame({ ...note.errors }, { at: ['is not a valid date'], until: ['must be a day'] })
  t.end()
})

t.test('an error is made of any object with errors', t => {
  const error = new ValidationError({ errors: { title: ['is odd'] }, toJSON: () => ({ title: 'x' }) } as Loose)
  t.match(error.message, /`title` is odd \(value: "x"\)/)
  t.end()
})

t.test('an upsert by condition needs data', async t => {
  await t.rejects(define().upsertWithWhere({ title: 'a' }, {}), { statusCode: 400, message: /empty/ })
})

t.test('a hook does not move a row that is replaced', async t => {
  const Note = define()
  await Note.create({ title: 'a' })
  Note.observe('before save', async ({ instance }: Loose) => { instance.id = 99 })
  t.match(await Note.replaceById(1, { title: 'b' }), { id: 1, title: 'b' })
  t.match(await Note.find(), [{ id: 1, title: 'b' }])
})
