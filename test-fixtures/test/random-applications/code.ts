/** Code of a random application: hooks that change, refuse and answer, validations, overridden functions. */
import type { Choice } from './choice.js'
import type { PropertyShape } from './shapes.js'

const refusal = (status: number): string =>
  `const e = new Error('refused'); e.statusCode = ${status}; e.code = 'REFUSED';`

/** Statements of a model's file; `Model` is there. */
export function codeFor (choice: Choice, properties: readonly PropertyShape[]): string[] {
  const texts = properties.filter(({ kind }) => kind === 'string')
  const text = texts.length === 0 ? undefined : choice.of(texts).name
  const any = choice.of(properties).name
  const kinds: Array<readonly [probability: number, code: string | undefined]> = [
    [0.15, text && `Model.observe('before save', async ctx => { const d = ctx.instance || ctx.data; if (d.${text} === 'bad') { ${refusal(403)} throw e } })`],
    [0.15, text && `Model.observe('before save', (ctx, next) => { const d = ctx.instance || ctx.data; if (d.${text}) d.${text} = d.${text} + '!'; next() })`],
    // Where the model is strict, LoopBack refuses a replace for what the hook sets.
    [0.1, "Model.observe('before save', async ctx => { const d = ctx.instance || ctx.data; if (ctx.isNewInstance || ctx.data) d.slug = 's' })"],
    [0.1, "Model.observe('after save', async ctx => { if (ctx.instance) ctx.instance.saved = ctx.isNewInstance === true })"],
    [0.1, "Model.observe('loaded', async ctx => { if (!Model.settings.strict) ctx.data.loaded = true })"],
    [0.1, text && `Model.observe('persist', async ctx => { ctx.data.${text} = 'kept' })`],
    [0.1, text && `Model.observe('access', async ctx => { ctx.query.where = Object.assign({}, ctx.query.where, { ${text}: { neq: 'b' } }) })`],
    [0.08, `Model.observe('before delete', async ctx => { if (ctx.where && ctx.where.id === 2) { ${refusal(409)} throw e } })`],
    [0.1, text && `Model.beforeRemote('create', (ctx, unused, next) => { if (ctx.args.data && !Array.isArray(ctx.args.data)) ctx.args.data.${text} = 'r'; next() })`],
    [0.06, `Model.beforeRemote('deleteById', (ctx, unused, next) => { ${refusal(401)} next(e) })`],
    [0.1, "Model.afterRemote('findById', async ctx => { ctx.result.seen = true })"],
    [0.08, "Model.afterRemote('find', async ctx => { ctx.result = { rows: ctx.result, count: ctx.result.length } })"],
    [0.08, "Model.afterRemote('find', async ctx => { for (const row of ctx.result) row.each = 1 })"],
    [0.06, "Model.afterRemote('**', (ctx, unused, next) => { ctx.res.set('x-after', ctx.method.name); next() })"],
    [0.06, "Model.afterRemoteError('**', (ctx, next) => { ctx.error.extra = 'e'; next() })"],
    [0.08, text && `Model.validatesLengthOf('${text}', { max: 4, message: { max: 'too long' } })`],
    [0.06, text && `Model.validatesPresenceOf('${text}')`],
    [0.06, text && `Model.validatesInclusionOf('${text}', { in: ['a', 'b', 'lima'], allowBlank: true })`],
    [0.06, text && `Model.validatesFormatOf('${text}', { with: /^[a-z ]*$/, allowNull: true })`],
    [0.05, text && `Model.validatesUniquenessOf('${text}')`],
    [0.06, `Model.validate('${any}', function (err) { if (this.${any} === 'bad' || this.${any} === 3) err() }, { message: 'is wrong' })`],
    [0.04, `Model.validateAsync('${any}', function (err, done) { setImmediate(() => { if (this.${any} === 2) err(); done() }) }, { message: 'is two' })`],
    [0.05, "Model.disableRemoteMethodByName('deleteById')"],
    [0.05, "Model.disableRemoteMethodByName('prototype.patchAttributes')"]
  ]
  return kinds.flatMap(([probability, code]) => choice.chance(probability) && code !== undefined ? [code] : [])
}

/** Statements of a boot script: functions that the application puts in the place of built-in ones. */
export function scriptFor (choice: Choice, name: string, hides: boolean): string[] {
  const kinds: Array<readonly [number, string]> = [
    [0.08, `{ const M = app.models.${name}; const find = M.find; M.find = function (filter, options, cb) { return find.call(this, Object.assign({}, filter, { limit: 2 }), options, cb) } }`],
    [0.06, `{ const M = app.models.${name}; const create = M.create; M.create = function (data, options, cb) { if (!Array.isArray(data)) delete data.${name.toLowerCase()}0; return create.call(this, data, options, cb) } }`],
    [0.06, `{ const M = app.models.${name}; M.count = function (where, options, cb) { cb(null, 42) } }`],
    // LoopBack's `toObject` has hidden properties, so that such a `toJSON` would show them.
    [hides ? 0 : 0.05, `{ const M = app.models.${name}; M.prototype.toJSON = function () { const o = this.toObject(); o.json = true; return o } }`]
  ]
  return kinds.flatMap(([probability, code]) => choice.chance(probability) ? [code] : [])
}
