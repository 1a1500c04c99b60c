import t from 'tap'
import { Validators } from './validators.js'

t.test('names that every object inherits are properties like others', async t => {
  const validators = new Validators()
  const properties = { toString: { type: 'string' }, valueOf: { type: 'number' }, constructor: { type: 'string' } }
  for (const kind of ['json', 'form'] as const) {
    const optional = validators[kind]({ type: 'object', properties })
    t.equal(optional({}), undefined, 'what is not there is not looked at')
    t.equal(optional({ toString: 'a', valueOf: 1, constructor: 'b' }), undefined)
    t.match(optional({ constructor: [] }), [{ path: '.constructor', code: 'type' }])
    t.match(
      validators[kind]({ type: 'object', properties, required: ['valueOf'] })({}),
      [{ code: 'required', info: { missingProperty: 'valueOf' } }]
    )
  }
})

t.test('a schema that is none', async t => {
  t.throws(() => new Validators().json({ maxLength: 'ten' })('a'), /schema is invalid: data\/maxLength must be integer/)
})
