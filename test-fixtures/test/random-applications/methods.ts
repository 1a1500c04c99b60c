/** Remote methods of a random model: every kind of argument and source. They tell what they were given. */
import type { Choice } from './choice.js'
import type { ArgumentShape, MethodShape } from './shapes.js'

const types: readonly unknown[] = [
  'string', 'string', 'number', 'number', 'boolean', 'date', 'object', 'any', ['string'], ['number'], 'array', 'geopoint'
]

function argumentFor (choice: Choice, i: number, verb: string, models: readonly string[]): ArgumentShape {
  const withBody = verb !== 'get'
  const sources = [undefined, 'query', 'header', ...(withBody ? ['form', 'body'] : [])]
  const source = choice.of(sources)
  const type = source === 'body' ? choice.of<unknown>(['object', choice.of(models), 'object']) : choice.of(types)
  return { arg: `a${i}`, type, source, required: choice.chance(0.25) }
}

export function methodsFor (choice: Choice, model: string, models: readonly string[]): MethodShape[] {
  return Array.from({ length: choice.below(4) }, (_, i) => {
    const verb = choice.of(['get', 'get', 'post', 'put'])
    const args = Array.from({ length: choice.below(4) }, (_, at) => argumentFor(choice, at, verb, models))
    const firstBody = args.findIndex(({ source }) => source === 'body')
    return {
      name: `call${model}${i}`,
      isStatic: choice.chance(0.75),
      verb,
      path: `/call-${i}`,
      args: args.filter(({ source }, at) => source !== 'body' || at === firstBody)
    }
  })
}

/** The code that defines a method on `Model`. */
export function methodCode (choice: Choice, method: MethodShape): string {
  const { name, isStatic, verb, path, args } = method
  const accepts = args.map(({ arg, type, source, required }) => ({
    arg, type, ...(required ? { required } : {}), ...(source === undefined ? {} : { http: { source } })
  }))
  const returns = choice.of<unknown>([
    { arg: 'told', type: 'object' }, { arg: 'told', type: 'object', root: true }, { root: true, type: 'object' }
  ])
  const http: Record<string, unknown> = { verb, path }
  if (choice.chance(0.15)) http.status = 202
  if (choice.chance(0.15)) http.errorStatus = 418
  const list = args.map(({ arg }) => arg)
  const fails = choice.chance(0.2)
    ? `if (${list[0] ?? "'bad'"} === 'bad') { const e = new Error('told so'); e.code = 'TOLD'; ${choice.chance(0.5) ? 'e.statusCode = 409; ' : ''}return FAIL }`
    : ''
  const told = `{ ${list.map(arg => `${arg}: tell(${arg})`).join(', ')} }`
  const promised = choice.chance(0.5)
  const body = promised
    ? `${fails.replace('return FAIL', 'return Promise.reject(e)')} return Promise.resolve(${told})`
    : `${fails.replace('return FAIL', 'return cb(e)')} cb(null, ${told})`
  const params = [...list, ...(promised ? [] : ['cb'])].join(', ')
  return [
    `Model.${isStatic ? '' : 'prototype.'}${name} = function (${params}) { ${body} }`,
    `Model.remoteMethod('${isStatic ? '' : 'prototype.'}${name}', ${JSON.stringify({ accepts, returns, http })})`
  ].join('\n  ')
}

/** What a method tells of a value that it was given. */
export const tellCode = `const tell = value => value === undefined ? 'undefined' : value === null ? 'null'
  : (typeof value === 'object' ? value.constructor && value.constructor.modelName || value.constructor && value.constructor.name : typeof value) + ':' + JSON.stringify(value)`
