import t from 'tap'
import { listConnector } from '../../test/helpers/list-connector.js'
import type { Violation } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'
import { asRemote } from '../operations/origin.js'
import { ModelRegistry } from '../registry.js'
import { describeValue } from './describe-value.js'
import { validateInstance } from './validate.js'

type Declare = (...args: unknown[]) => void
const call = (Model: ModelClass, declarator: string, ...args: unknown[]): void => {
  ;(Model[declarator] as Declare).call(Model, ...args)
}

function define (properties: Record<string, unknown>, settings: Record<string, unknown> = {}): ModelClass {
  return new ModelRegistry().defineModel({ name: 'Gadget', base: 'Model', properties, ...settings })
}
const short = (violations: readonly Violation[]): string[] =>
  violations.map(({ path, code, message }) => `${path} ${code}: ${message}`)
/** What is wrong with an instance of these data, for validations that answer at once. */
const violations = (Model: ModelClass, data: Row, only?: string[]): string[] =>
  short(validateInstance(Model.compiled, new Model(data), {}, only && new Set(only)) as readonly Violation[])

t.test("every kind, with LoopBack's codes and messages", async t => {
  const cases: Array<[string, object, Array<[unknown, string[]]>]> = [
    [
      'validatesPresenceOf',
      {},
      [
        ['x', []],
        [0, []],
        [false, []],
        ['', [".v presence: can't be blank"]],
        [null, [".v presence: can't be blank"]],
        [undefined, [".v presence: can't be blank"]],
        [[], [".v presence: can't be blank"]],
        [NaN, [".v presence: can't be blank"]]
      ]
    ],
    [
      'validatesAbsenceOf',
      {},
      [
        [undefined, []],
        ['', []],
        ['x', [".v absence: can't be set"]],
        [0, [".v absence: can't be set"]]
      ]
    ],
    [
      'validatesLengthOf',
      { min: 2, max: 3 },
      [
        ['ab', []],
        [[1, 2], []],
        [5, []],
        ['a', ['.v length.min: too short']],
        ['abcd', ['.v length.max: too long']],
        ['', ['.v length.blank: is blank']],
        [null, ['.v length.null: is null']]
      ]
    ],
    [
      'validatesLengthOf',
      { is: 2 },
      [
        ['ab', []],
        ['abc', ['.v length.is: length is wrong']],
        [5, ['.v length.is: length is wrong']]
      ]
    ],
    [
      'validatesLengthOf',
      { min: 2, message: { min: 'is too short' }, allowNull: true, allowBlank: true },
      [
        ['a', ['.v length.min: is too short']],
        [null, []],
        [undefined, []],
        ['', []]
      ]
    ],
    [
      'validatesNumericalityOf',
      {},
      [
        [1.5, []],
        [5n, []],
        ['1', ['.v numericality.number: is not a number']],
        [NaN, ['.v numericality.number: is not a number']],
        [undefined, ['.v numericality.blank: is blank']]
      ]
    ],
    [
      'validatesNumericalityOf',
      { int: true },
      [
        [1, []],
        [1.5, ['.v numericality.int: is not an integer']]
      ]
    ],
    [
      'validatesInclusionOf',
      { in: ['a', 1] },
      [
        ['a', []],
        [1, []],
        ['b', ['.v inclusion: is not included in the list']],
        [undefined, ['.v inclusion.blank: is blank']]
      ]
    ],
    [
      'validatesExclusionOf',
      { in: ['a'] },
      [
        ['b', []],
        ['a', ['.v exclusion: is reserved']]
      ]
    ],
    [
      'validatesFormatOf',
      { with: /^[a-z]+$/g },
      [
        ['abc', []],
        ['abc', []],
        ['ABC', ['.v format: is invalid']],
        [5, ['.v format: is invalid']],
        [{}, ['.v format: is invalid']]
      ]
    ],
    [
      'validatesFormatOf',
      { with: '^\\d$' },
      [
        [5, []],
        [55, ['.v format: is invalid']]
      ]
    ],
    [
      'validatesDateOf',
      {},
      [
        [null, []],
        [undefined, []],
        [new Date(), []],
        ['2020-01-01', []],
        [5, []],
        ['x', ['.v date: is not a valid date']],
        [{}, ['.v date: is not a valid date']],
        [true, ['.v date: is not a valid date']]
      ]
    ],
    ['validatesPresenceOf', { code: 'missing', message: 'must be named' }, [[undefined, ['.v missing: must be named']]]]
  ]
  for (const [declarator, options, values] of cases) {
    const Model = define({ v: 'any' })
    call(Model, declarator, 'v', options)
    for (const [value, expected] of values) {
      // Put on the instance afterwards, as application code may: nothing converts it.
      const instance = Object.assign(new Model({}), { v: value }) as ModelInstance
      t.strictSame(
        short(validateInstance(Model.compiled, instance, {}) as readonly Violation[]),
        expected,
        `${declarator} ${String(JSON.stringify(options))}`
      )
    }
  }
})

t.test('several names, required properties, inheritance', async t => {
  const registry = new ModelRegistry()
  const Base = registry.defineModel({
    name: 'Base',
    base: 'Model',
    properties: {
      a: 'string',
      b: 'string',
      c: { type: 'string', required: { message: 'is needed' } as never },
      'd-e': { type: 'string', required: true }
    }
  })
  call(Base, 'validatesLengthOf', 'a', 'b', { min: 2 })
  const Child = registry.defineModel({ name: 'Child', base: 'Base', properties: {} })
  const all = [
    '.c presence: is needed',
    ' required: "d-e" is required',
    '.a length.min: too short',
    '.b length.blank: is blank'
  ]
  t.strictSame(violations(Base, { a: 'x' }), all)
  t.strictSame(violations(Child, { a: 'x' }), all)
  call(Child, 'validatesPresenceOf', 'x')
  t.equal(violations(Child, { a: 'x' }).length, 5, 'a validation declared late counts')
  t.equal(violations(Base, { a: 'x' }).length, 4)
  t.throws(
    () => {
      call(Base, 'validatesPresenceOf', {})
    },
    { code: 'FBK_CORE_INVALID_DEFINITION' }
  )
  t.throws(
    () => {
      call(Base, 'validatesInclusionOf', 'a')
    },
    { code: 'FBK_CORE_INVALID_DEFINITION' }
  )
  t.throws(
    () => {
      call(Base, 'validatesFormatOf', 'a', {})
    },
    { code: 'FBK_CORE_INVALID_DEFINITION' }
  )
  t.throws(
    () => {
      call(Base, 'validate', 'a', 'no function')
    },
    { code: 'FBK_CORE_INVALID_DEFINITION' }
  )
})

t.test('if and unless', async t => {
  const Model = define({ grade: 'string', owner: 'string', nickname: 'string' })
  ;(Model.prototype as Record<string, unknown>).isOwned = function (this: Row) {
    return this.grade === 'A'
  }
  call(Model, 'validatesPresenceOf', 'owner', { if: 'isOwned' })
  call(Model, 'validatesAbsenceOf', 'nickname', {
    unless () {
      return (this as unknown as Row).grade === 'A'
    }
  })
  t.strictSame(violations(Model, { grade: 'A' }), [".owner presence: can't be blank"])
  t.strictSame(violations(Model, { grade: 'B', nickname: 'x' }), [".nickname absence: can't be set"])
  const Other = define({ flag: 'boolean', v: 'string' })
  call(Other, 'validatesPresenceOf', 'v', { if: 'flag' })
  t.strictSame(violations(Other, { flag: false }), [])
  t.equal(violations(Other, { flag: true }).length, 1)
  t.equal(violations(Other, {}).length, 1, 'a name that is not there counts as true for if')
  const Third = define({ flag: 'boolean', v: 'string' })
  call(Third, 'validatesPresenceOf', 'v', { unless: 'flag' })
  t.strictSame(
    [violations(Third, { flag: true }).length, violations(Third, { flag: false }).length, violations(Third, {}).length],
    [0, 1, 0]
  )
})

t.test('rules of the application', async t => {
  const Model = define({ weight: 'number', label: 'string' })
  call(
    Model,
    'validate',
    'weight',
    function (this: Row, fail: (reason?: string) => void) {
      if (Number(this.weight) < 0) fail()
    },
    { message: 'cannot be negative' }
  )
  call(Model, 'validate', 'weight', function (this: Row, fail: (reason?: string) => void) {
    if (Number(this.weight) > 100) fail('heavy')
  })
  t.strictSame(violations(Model, { weight: -1 }), ['.weight custom: cannot be negative'])
  t.strictSame(violations(Model, { weight: 101 }), ['.weight custom.heavy: is invalid'])
  t.strictSame(violations(Model, { weight: 1 }), [])

  const Async = define({ label: 'string' })
  const options = { seen: [] as unknown[] }
  call(
    Async,
    'validateAsync',
    'label',
    function (this: Row, fail: (reason?: string) => void, done: () => void) {
      setImmediate(() => {
        if (this.label === 'bad') fail()
        done()
      })
    },
    { message: 'is forbidden' }
  )
  call(Async, 'validateAsync', 'label', function (this: Row, _fail: unknown, given: unknown, done: () => void) {
    options.seen.push(given)
    done()
  })
  call(Async, 'validateAsync', 'label', async function (this: Row, fail: (reason?: string) => void) {
    await null
    if (this.label === 'bad') fail('late')
  })
  const result = validateInstance(Async.compiled, new Async({ label: 'bad' }), options)
  t.ok(result instanceof Promise)
  t.strictSame(short(await result), ['.label custom: is forbidden', '.label custom.late: is invalid'])
  t.equal(options.seen[0], options, 'a validator with three parameters gets the options')

  const Throwing = define({ label: 'string' })
  call(Throwing, 'validateAsync', 'label', async () => {
    throw new Error('store is away')
  })
  await t.rejects(async () => await validateInstance(Throwing.compiled, new Throwing({}), {}), {
    message: 'store is away'
  })
})

t.test('an update runs what it touches', async t => {
  const Model = define({ a: { type: 'string', required: true }, b: 'string' })
  call(Model, 'validatesLengthOf', 'b', { min: 2 })
  call(Model, 'validate', 'c', (fail: () => void) => {
    fail()
  })
  t.strictSame(
    violations(Model, {}, ['b']),
    ['.b length.blank: is blank', '.c custom: is invalid'],
    'rules over the whole row always run'
  )
  t.strictSame(violations(Model, {}, []), ['.c custom: is invalid'])
  const { validations } = Model.compiled
  t.strictSame(
    validations.map(({ kind, local }) => `${kind} ${String(local)}`),
    ['presence true', 'length true', 'custom false']
  )
})

for (const later of [false, true]) {
  t.test(`uniqueness, the store answering ${later ? 'later' : 'at once'}`, async t => {
    const registry = new ModelRegistry()
    const connector = listConnector(later)
    registry.defineDataSource('db', { connector: () => connector })
    const Model = registry.defineModel({
      name: 'Gadget',
      properties: { serial: 'string', grade: 'string', email: 'string', pin: 'string' },
      hidden: ['pin']
    })
    registry.attach(Model, 'db')
    call(Model, 'validatesUniquenessOf', 'serial', { scopedTo: ['grade'] })
    call(Model, 'validatesUniquenessOf', 'email', { ignoreCase: true, message: 'is taken' })
    call(Model, 'validatesUniquenessOf', 'pin')
    const create = async (data: Row): Promise<ModelInstance> =>
      await (Model.create as unknown as (data: Row) => Promise<ModelInstance>)(data)
    const first = await create({ serial: '1', grade: 'B', email: 'a_b@x', pin: '77' })
    const check = async (data: Row, only?: string[], options = {}): Promise<string[]> =>
      short(
        await validateInstance(
          Model.compiled,
          Object.assign(new Model({}), data) as ModelInstance,
          options,
          only && new Set(only)
        )
      )

    const taken = (value: string): string =>
      `.serial uniqueness: is not unique: another "Gadget" has serial ${value}`
    t.strictSame(await check({ serial: '1', grade: 'B' }), [taken('"1", grade "B"')])
    t.strictSame(await check({ serial: '1', grade: 'C' }), [])
    t.strictSame(
      await check({ serial: '1' }),
      [taken('"1"')],
      'a scope that the row lacks narrows nothing'
    )
    t.strictSame(await check({ email: 'A_B@X' }), ['.email uniqueness: is taken'])
    t.strictSame(await check({ email: 'axb@x' }), [], 'no wildcards')
    t.strictSame(await check({ serial: '', email: null }), [], 'blank values are not looked at')
    t.strictSame(await check({ ...first }), [], 'the row itself is no duplicate')
    t.strictSame(
      await check({ pin: '77' }, undefined, asRemote({})),
      ['.pin uniqueness: is not unique: another "Gadget" has this value'],
      "the question is not the client's"
    )

    const before = connector.queries
    t.strictSame(await check({ serial: '1', grade: 'B', email: 'a_b@x' }, ['name']), [])
    t.equal(connector.queries, before, 'an update of other properties asks nothing')
    t.strictSame(await check({ serial: '1', grade: 'B' }, ['grade']), [taken('"1", grade "B"')])
    t.strictSame(
      Model.compiled.validations.map(({ unique }) => unique),
      [
        { properties: ['serial', 'grade'], ignoreCase: false, message: 'is not unique' },
        { properties: ['email'], ignoreCase: true, message: 'is taken' },
        { properties: ['pin'], ignoreCase: false, message: 'is not unique' }
      ]
    )
    await t.rejects(create({ serial: '1', grade: 'B' }), {
      name: 'ValidationError',
      message: /`serial` is not unique \(value: "1"\)/
    })
  })
}

t.test("an id of one's own can be unique", async t => {
  const registry = new ModelRegistry()
  const connector = listConnector()
  registry.defineDataSource('db', { connector: () => connector })
  const Tag = registry.defineModel({ name: 'Tag', properties: { slug: { type: 'string', id: true } } })
  registry.attach(Tag, 'db')
  call(Tag, 'validatesUniquenessOf', 'slug')
  const tag = await (Tag.create as unknown as (data: Row) => Promise<ModelInstance>)({ slug: 'a' })
  t.equal(violations(Tag, { slug: 'a' }).length, 1, 'a new one is not the row that has its id')
  t.strictSame(validateInstance(Tag.compiled, tag, {}), [])
})

t.test('values in messages', async t => {
  const model = { hidden: new Set(['pin']), protectedNames: new Set(['phone']) }
  const row = {
    a: 'x',
    long: 'x'.repeat(40),
    n: 5,
    at: new Date(0),
    bad: new Date(NaN),
    o: { secret: 1 },
    list: [{ secret: 1 }],
    pin: '1234',
    phone: '555',
    password: 'p',
    apiKey: 'k',
    resetToken: 't',
    nul: null
  }
  const described = Object.fromEntries(
    [...Object.keys(row), 'missing', 'o.secret', 'list[0]'].map(name => [name, describeValue(model, name, row)])
  )
  t.strictSame(described, {
    a: ' (value: "x")',
    long: ` (value: "${'x'.repeat(25)}...xxx")`,
    n: ' (value: 5)',
    at: ' (value: 1970-01-01T00:00:00.000Z)',
    bad: ' (value: Invalid Date)',
    o: ' (value: object)',
    list: ' (value: list of 1)',
    pin: ' (value: undefined)',
    phone: ' (value: undefined)',
    password: ' (value: undefined)',
    apiKey: ' (value: undefined)',
    resetToken: ' (value: undefined)',
    nul: ' (value: null)',
    missing: ' (value: undefined)',
    'o.secret': '',
    'list[0]': ''
  })
})
