/** A definition as a module of TypeScript or JavaScript (discovery.md, DW-2). */
import { comment, identifier, key, text } from '../../source-text.js'
import { call, objectCode, indentedCode, plain, valueCode, type Code } from './code.js'
import { propertyCode, type Language, type Property } from './property-code.js'

/** What is written: a definition as JSON has it. */
export interface WrittenModel {
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string }
  /** What it is, for the comment above it. Default: its description. */
  readonly about?: string | undefined
  /** Whether null is among the values of an optional property. Default: of all. */
  readonly mayBeNull?: ((property: string) => boolean) | undefined
  /** Default: `ts`. */
  readonly language?: Language | undefined
  /** Its methods get a `run` that answers 501 until somebody writes it. Default: false. */
  readonly areUnwritten?: boolean | undefined
  /** Whether it says that `app.models` has the model, as applications in code do. Default: false. */
  readonly isTyped?: boolean | undefined
}

export interface DefinitionModule {
  readonly text: string
  /** Properties that TypeBox cannot say: all of the model stand in LoopBack's form then. */
  readonly untyped: readonly string[]
}

/** Keys whose members stand each on a line. */
const opened = new Set(['relations', 'acls', 'methods', 'scopes', 'indexes'])

/**
 * The text of the module: `export const OrderLine = defineModel({ … })`.
 *
 * ```js
 * definitionModule({ definition: { name: 'Note', properties: { title: { type: 'string', required: true } } } }).text
 * ```
 */
export function definitionModule (
  { definition, about, mayBeNull = () => true, language = 'ts', areUnwritten = false, isTyped = false }: WrittenModel
): DefinitionModule {
  const { $schema, properties = {}, ...rest } = definition as Record<string, unknown> & { properties?: object }
  const written = Object.entries(properties).map(([name, property]) =>
    [name, isAbsent(property) ? undefined : propertyCode(asProperty(property), mayBeNull(name), language)] as const)
  const untyped = written.filter(([, code]) => code === undefined).map(([name]) => name)
  const typed = call('Type.Object', objectCode(written.filter((each): each is [string, Code] => each[1] !== undefined), true))
  const members = Object.entries({ ...rest, properties })
    .filter(([name, value]) => name === 'properties' ? 'properties' in definition : !saysNothing(name, value, rest.base))
    .map(([name, value]): [string, Code] => [
      name, memberCode(name, value)
    ])
  function memberCode (name: string, value: unknown): Code {
    if (name === 'properties') return untyped.length > 0 ? valueCode(value, true) : typed
    if (name === 'methods' && areUnwritten) return unwrittenMethods(definition.name, value as Record<string, object>)
    return valueCode(value, opened.has(name))
  }
  const order = Object.keys(definition)
  members.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  const model = call('defineModel', objectCode(members, true))
  const name = identifier(definition.name)
  const exported = ['Type', 'defineModel'].includes(name) ? `${name}Model` : name
  const head = `export const ${exported} = `
  const lines = [
    ...(untyped.length > 0 || !('properties' in definition) ? [] : ["import { Type } from '@sinclair/typebox'"]),
    "import { defineModel } from '@fastback/core'",
    '',
    comment(about ?? textOf(definition.description), '') + head + indentedCode(model, '', head.length),
    ...(isTyped ? ['', "declare module '@fastback/core' {", `  interface ModelTypes { ${key(definition.name)}: typeof ${exported} }`, '}'] : [])
  ]
  return { text: lines.join('\n') + '\n', untyped }
}

const unwrittenMethods = (model: string, methods: Readonly<Record<string, object>>): Code =>
  objectCode(Object.entries(methods).map(([name, method]) => [name, objectCode([
    ...Object.entries(method).map(([key, value]) => [key, valueCode(value)] as const), [undefined, unwritten(`${model}.${name}`)]
  ], true)]), true)

function unwritten (method: string): Code {
  const error = `Object.assign(new Error(${text(`${method} is not written yet.`)}), `
  return {
    ...plain('async run () { … }'),
    isOpened: true,
    lines: indent => [
      'async run () {',
      `${indent}  throw ${error}{ statusCode: 501, code: 'NOT_IMPLEMENTED' })`,
      `${indent}}`
    ].join('\n')
  }
}

const isAbsent = (property: unknown): boolean => property === null || property === false

/** From the short forms to the long one. */
function asProperty (property: unknown): Property {
  if (typeof property !== 'object' || property === null || Array.isArray(property)) return { type: property }
  if ('type' in property) return property as Property
  return Object.keys(property).length === 0 || 'id' in property || 'required' in property
    ? { type: 'any', ...property }
    : { type: property }
}

/** What the generators write into each file of JSON, and is so anyway. */
const saysNothing = (name: string, value: unknown, base: unknown): boolean =>
  value === undefined || (name === 'base' && value === 'PersistedModel') ||
  (name === 'idInjection' && value === true && (base === undefined || base === 'PersistedModel')) ||
  (['validations', 'relations', 'acls', 'methods', 'options', 'mixins', 'scopes'].includes(name) &&
    typeof value === 'object' && value !== null && Object.keys(value).length === 0)

const textOf = (description: unknown): string | undefined =>
  Array.isArray(description) ? description.join(' ') : typeof description === 'string' ? description : undefined
