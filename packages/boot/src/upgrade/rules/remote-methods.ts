/** UP-06, UP-15: remote methods. */
import { atKey, atNode, removeItem, renameKey, replace, type Found, type TextEdit, type UpgradeRule } from '../rule.js'
import { member, type Script } from '../script.js'
import type { Sources } from '../sources.js'
import { argumentsOf, child, children, isFunction, propertyOf, stringOf, type SyntaxNode } from '../syntax.js'

const whatOf = (isStatic: unknown): string =>
  isStatic === false ? 'a method of instances has a name that begins with "prototype."' : '"isStatic" says nothing any more'

const methodsInJson = ({ definitions }: Sources): Found[] => definitions.all.flatMap(({ json }) => json.keys('methods')
  .filter(name => json.has('methods', name, 'isStatic'))
  .map(name => {
    const isStatic = json.value('methods', name, 'isStatic')
    const renamed = isStatic === false && !name.startsWith('prototype.') ? `prototype.${name}` : name
    return atKey(json, ['methods', name, 'isStatic'], {
      what: whatOf(isStatic),
      after: `"${renamed}": {…}`,
      edits: [
        ...(renamed === name ? [] : renameKey(json, ['methods', name], renamed)),
        json.keys('methods', name).length === 1
          ? { file: json.file, at: ['methods', renamed], value: {} }
          : { file: json.file, at: ['methods', renamed, 'isStatic'], value: undefined }
      ]
    })
  }))

/** `'x'` → `'prototype.x'`, with the quotes that it has; for what is put together, the beginning is put before it. */
function onPrototype (script: Script, name: SyntaxNode): string {
  const text = stringOf(name)
  if (text === undefined) return `'prototype.' + ${name.type === 'Identifier' || name.type === 'MemberExpression' ? script.source(name) : `(${script.source(name)})`}`
  if (text.startsWith('prototype.')) return script.source(name)
  const quote = script.text[name.start] ?? '\''
  return quote + 'prototype.' + script.source(name).slice(1)
}

const methodsInCode = ({ scripts }: Sources): Found[] => scripts.flatMap(script => script.calls('remoteMethod').flatMap((call): Found[] => {
  const [name, given] = argumentsOf(call)
  if (name === undefined || given === undefined) return []
  const options = script.valueBehind(given)
  const property = propertyOf(options, 'isStatic')
  if (property === undefined) return []
  const value = child(property, 'value')?.value
  const isOwn = options === given
  const edits: TextEdit[] | undefined = value === true || (value === false && isOwn)
    ? [
        removeItem(script, children(options, 'properties'), property),
        ...(value === false ? [replace(script, name, onPrototype(script, name))] : [])
      ]
    : undefined
  return [atNode(script, property, { what: whatOf(value), after: value === false ? `remoteMethod(${onPrototype(script, name)}, {…})` : '', edits })]
}))

/** The second argument says whether the method is static; without it none was. */
const disabledInCode = ({ scripts }: Sources): Found[] => scripts.flatMap(script => script.calls('disableRemoteMethod').map(call => {
  const [name, flag] = argumentsOf(call)
  const property = child(child(call, 'callee'), 'property')
  const said = flag === undefined ? false : script.valueBehind(flag).value
  const isStatic = typeof said === 'boolean' ? said : undefined
  if (name === undefined || property === undefined || isStatic === undefined) {
    return atNode(script, call, {
      what: 'disableRemoteMethod() is gone: look yourself whether the method is static',
      after: 'disableRemoteMethodByName(name), with "prototype." before names of methods of instances'
    })
  }
  const target = isStatic ? script.source(name) : onPrototype(script, name)
  return atNode(script, call, {
    what: 'disableRemoteMethod() is gone',
    after: `disableRemoteMethodByName(${target})`,
    edits: [
      replace(script, property, 'disableRemoteMethodByName'),
      replace(script, { start: name.start, end: (flag ?? name).end }, target)
    ]
  })
}))

export const isStatic: UpgradeRule = {
  rule: 'UP-06',
  severity: 'breaks',
  what: 'static methods need no "isStatic"; methods of instances begin with "prototype."',
  find: sources => [...methodsInJson(sources), ...methodsInCode(sources), ...disabledInCode(sources)]
}

interface Argument { readonly name: string, readonly type: string, readonly source: string | undefined }

const strict = (type: string): boolean => /^(object|any|array)$/i.test(type)

/** What of a method's arguments comes from the query, and is taken more strictly. */
const stricter = (args: readonly Argument[], verb: string): Argument[] => args.filter(({ type, source }) => source === 'query'
  ? strict(type) || /^number$/i.test(type)
  : source === undefined && verb === 'get' && strict(type))

function example ({ name, type }: Argument): string {
  if (/^number$/i.test(type)) return `?${name}=abc is 400`
  return /^array$/i.test(type) ? `?${name}=1,2 is 400, ?${name}=[1,2] is taken` : `?${name}=1,2 is 400, ?${name}={"a":1} is taken`
}

const told = (method: string, args: readonly Argument[]) => ({
  what: `${method}: ${args.map(example).join('; ')}`,
  after: 'clients send JSON in the query'
})

const argument = (value: unknown): Argument | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { arg, type, http } = value as { arg?: unknown, type?: unknown, http?: { source?: unknown } | null }
  return {
    name: String(arg), type: Array.isArray(type) ? 'array' : String(type), source: typeof http?.source === 'string' ? http.source : undefined
  }
}

/** An argument as it stands in code; one that a function takes from the request is none of these. */
function argumentInCode (script: Script, node: SyntaxNode): Argument | undefined {
  const http = member(script, node, 'http')
  if (http !== undefined && isFunction(script.valueBehind(http))) return undefined
  const type = member(script, node, 'type')
  return {
    name: stringOf(member(script, node, 'arg')) ?? 'arg',
    type: type?.type === 'ArrayExpression' ? 'array' : stringOf(type) ?? '',
    source: stringOf(member(script, http, 'source'))
  }
}

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value : value === undefined ? [] : [value]

function inCode (script: Script, call: SyntaxNode): Found[] {
  const [name, options] = argumentsOf(call)
  const accepts = member(script, options, 'accepts')
  const list = accepts === undefined ? undefined : script.valueBehind(accepts)
  const args = (list?.type === 'ArrayExpression' ? children(list, 'elements') : list === undefined ? [] : [list])
    .map(each => argumentInCode(script, script.valueBehind(each))).filter(each => each !== undefined)
  const http = member(script, options, 'http')
  const first = http === undefined ? undefined : script.valueBehind(http)
  const verb = stringOf(member(script, first?.type === 'ArrayExpression' ? children(first, 'elements')[0] : first, 'verb')) ?? 'post'
  const found = stricter(args, verb.toLowerCase())
  return found.length === 0 ? [] : [atNode(script, call, told(stringOf(name) ?? 'the method', found))]
}

export const stricterArguments: UpgradeRule = {
  rule: 'UP-15',
  severity: 'changes',
  what: 'arguments are taken more strictly: an object in a query must be JSON',
  find: ({ definitions, scripts, configs }) => [
    ...configs.filter(json => json.value('remoting', 'rest', 'normalizeHttpPath') === true).map(json =>
      atKey(json, ['remoting', 'rest', 'normalizeHttpPath'], {
        what: '"normalizeHttpPath" also changes the names of arguments within paths', after: 'look at the paths that "fastback routes" lists'
      })),
    ...definitions.all.flatMap(({ json }) => json.keys('methods').flatMap((name): Found[] => {
      const args = listOf(json.value('methods', name, 'accepts')).map(argument).filter(each => each !== undefined)
      const http = listOf(json.value('methods', name, 'http'))[0] as { verb?: unknown } | undefined
      const found = stricter(args, String(http?.verb ?? 'post').toLowerCase())
      return found.length === 0 ? [] : [atKey(json, ['methods', name], told(name, found))]
    })),
    ...scripts.flatMap(script => script.calls('remoteMethod').flatMap(call => inCode(script, call)))
  ]
}
