import { Type } from '@sinclair/typebox'
import t from 'tap'
import { checkOptions, optionsFault } from './check-options.js'

const Schema = Type.Object(
  {
    path: Type.Optional(Type.Union([Type.Literal(false), Type.String({ pattern: '^/' })])),
    limits: Type.Optional(
      Type.Union([
        Type.Literal(false),
        Type.Object({ max: Type.Integer({ minimum: 1 }), rest: Type.Optional(Type.Boolean()) }, {
          additionalProperties: false
        })
      ])
    ),
    grace: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
    secret: Type.Optional(Type.String({ minLength: 16 })),
    name: Type.Optional(Type.String({ minLength: 1 })),
    cookie: Type.Optional(Type.String({ pattern: '^\\w+$' })),
    share: Type.Optional(Type.Number()),
    text: Type.Optional(Type.String()),
    hosts: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    names: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    check: Type.Optional(Type.Function([], Type.Unknown()))
  },
  { additionalProperties: false }
)

t.test('what is wrong is one sentence', async t => {
  for (const [options, sentence] of [
    [5, 'the options must be an object.'],
    [{ limit: {} }, 'there is no option "limit". Did you mean "limits"?'],
    [{ wholly: {} }, 'there is no option "wholly".'],
    [{ path: 'token' }, 'the option "path" must be false or a text that starts with "/".'],
    [{ limits: true }, 'the option "limits" must be false or an object.'],
    [{ limits: { max: 0 } }, 'the option "limits.max" must be an integer of at least 1.'],
    [{ limits: {} }, 'the option "limits.max" is needed.'],
    [{ limits: { max: 1, rst: true } }, 'there is no option "limits.rst". Did you mean "rest"?'],
    [{ limits: { max: 1, rest: 'yes' } }, 'the option "limits.rest" must be true or false.'],
    [{ limits: [] }, 'the option "limits" must be false or an object.'],
    [{ grace: 301 }, 'the option "grace" must be an integer from 0 to 300.'],
    [{ secret: 'short' }, 'the option "secret" must be a text of at least 16 characters.'],
    [{ name: '' }, 'the option "name" must be a text that is not empty.'],
    [{ cookie: 'a b' }, 'the option "cookie" must be a text that matches ^\\w+$.'],
    [{ share: '1' }, 'the option "share" must be a number.'],
    [{ text: 1 }, 'the option "text" must be a text.'],
    [{ hosts: [] }, 'the option "hosts" must be a list of at least 1.'],
    [{ names: ['a', 1] }, 'the option "names.1" must be a text.'],
    [{ names: 1 }, 'the option "names" must be a text or a list.'],
    [{ check: 5 }, 'the option "check" must be a function.']
  ] as const) {
    t.equal(optionsFault(Schema, options), sentence)
  }
  t.equal(optionsFault(Schema, { grace: -1 }, 'setting'), 'the setting "grace" must be an integer from 0 to 300.')
})

t.test('what is right is given back, what is wrong thrown', async t => {
  const options = { path: '/token', limits: { max: 1 } }
  t.equal(checkOptions(Schema, options, Error), options)
  t.throws(() => checkOptions(Schema, { share: '1' }, RangeError), new RangeError('the option "share" must be a number.'))
})
