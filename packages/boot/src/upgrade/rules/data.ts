/** UP-10 to UP-13, UP-17: what code does with models. */
import { atNode, replace, type Found, type UpgradeRule } from '../rule.js'
import type { Script } from '../script.js'
import {
  argumentsOf, calledMethod, child, children, isFunction, memberName, nameOf, receiver, stringOf, within,
  type SyntaxNode
} from '../syntax.js'

/** Names that begin with a capital and are no models. */
const globals = new Set(['Object', 'Promise', 'Array', 'Reflect', 'Buffer', 'Map', 'Set', 'Date', 'Number', 'String', 'Symbol'])

/** Whether a node is a model: for sure, or by its look. */
function likeModel (script: Script, node: SyntaxNode | undefined): 'model' | 'perhaps' | undefined {
  if (script.modelOf(node) !== undefined) return 'model'
  const name = nameOf(node)
  if (node === undefined || name === undefined || !/^[A-Z][a-z]/.test(name) || globals.has(name)) return undefined
  const module = script.moduleOf(node)
  return module === undefined || /\/models\//.test(module) ? 'perhaps' : undefined
}

const isCallback = (script: Script, node: SyntaxNode | undefined): boolean => node !== undefined &&
  (isFunction(script.valueBehind(node)) || /^(cb|callback|done|next|fn)$/i.test(nameOf(node) ?? ''))

export const createReturns: UpgradeRule = {
  rule: 'UP-10',
  severity: 'changes',
  what: 'create() with a callback returns nothing',
  find: ({ scripts }) => scripts.flatMap(script => script.calls('create').flatMap((call): Found[] => {
    const like = likeModel(script, receiver(call))
    const args = argumentsOf(call)
    const parent = script.parent(call)
    const isUsed = parent?.type === 'MemberExpression' || parent?.type === 'VariableDeclarator' || parent?.type === 'AwaitExpression' ||
      (parent?.type === 'AssignmentExpression' && child(parent, 'right') === call)
    if (like === undefined || !isUsed || args.length < 2 || !isCallback(script, args.at(-1))) return []
    return [atNode(script, call, {
      what: 'create() with a callback returns nothing; without one it returns a promise',
      after: 'const row = await Model.create(data)',
      isWeak: like === 'perhaps'
    })]
  }))
}

/** The function of an observer: the first parameter, and all that it does. */
function readsInstance (script: Script, handler: SyntaxNode): boolean {
  const name = nameOf(children(handler, 'params')[0])
  return [...within(handler)].some(node => memberName(node) === 'instance' && nameOf(child(node, 'object')) === name)
}

export const loadedHook: UpgradeRule = {
  rule: 'UP-11',
  severity: 'changes',
  what: 'hooks "loaded" have ctx.data, always',
  find: ({ scripts }) => scripts.flatMap(script => script.calls('observe').flatMap((call): Found[] => {
    const [name, given] = argumentsOf(call)
    if (stringOf(name) !== 'loaded' || given === undefined) return []
    const handler = script.valueBehind(given)
    if (!isFunction(handler)) {
      return [atNode(script, call, { what: 'a hook "loaded" whose function stands elsewhere: look yourself', after: 'ctx.data', isWeak: true })]
    }
    return readsInstance(script, handler)
      ? [atNode(script, call, { what: 'a hook "loaded" finds what was read in ctx.data, and no ctx.instance', after: 'ctx.data' })]
      : []
  }))
}

const hooks = new Map([['changed', 'after save'], ['deleted', 'after delete'], ['deletedAll', 'after delete']])

export const events: UpgradeRule = {
  rule: 'UP-12',
  severity: 'changes',
  what: 'the events changed, deleted and deletedAll are hooks now ("after save", "after delete")',
  find: ({ scripts }, { stub = false }) => scripts.flatMap(script => script.calls('on', 'once').flatMap((call): Found[] => {
    const model = receiver(call)
    const event = stringOf(argumentsOf(call)[0]) ?? ''
    const hook = hooks.get(event)
    if (model === undefined || hook === undefined || likeModel(script, model) === undefined) return []
    const statement = script.parent(call)
    const isWhole = statement?.type === 'ExpressionStatement'
    const gives = hook === 'after save' ? 'ctx.instance, ctx.isNewInstance' : 'ctx.where, ctx.info.count'
    return [atNode(script, call, {
      what: `the event "${event}" is gone; the hook "${hook}" has ${gives}`,
      after: `${script.source(model)}.observe('${hook}', async ctx => {…})`,
      isWeak: script.modelOf(model) === undefined,
      edits: stub && isWhole
        ? [replace(script, statement, stubOf(script, script.source(model), hook, statement))]
        : undefined
    })]
  }))
}

function stubOf (script: Script, model: string, hook: string, statement: SyntaxNode): string {
  const start = script.text.lastIndexOf('\n', statement.start - 1) + 1
  const indent = /^[ \t]*/.exec(script.text.slice(start))?.[0] ?? ''
  const old = script.source(statement)
  const lines = old.split(/\r?\n/).map((line, index) => `${indent}  // ${index === 0 ? line : line.replace(indent, '')}`.trimEnd())
  return [`${model}.observe('${hook}', async ctx => {`, ...lines, `${indent}})${old.endsWith(';') ? ';' : ''}`].join('\n')
}

/** Names in the plural; what ends in s and is one thing is none. */
const plural = /(List|[^sui]s)$/
const single = /^(options|settings|params|attributes|attrs|props|args|values|fields|details|stats|credentials|this)$/i

function isList (script: Script, node: SyntaxNode): 'list' | 'perhaps' | undefined {
  if (script.valueBehind(node).type === 'ArrayExpression') return 'list'
  const name = nameOf(node)
  if (name === undefined || !plural.test(name) || single.test(name)) return undefined
  return script.valueBehind(node).type === 'ObjectExpression' ? undefined : 'perhaps'
}

export const upsertLists: UpgradeRule = {
  rule: 'UP-13',
  severity: 'breaks',
  what: 'updateOrCreate() takes one object, and no list',
  find: ({ scripts }) => scripts.flatMap(script => script.calls('updateOrCreate', 'upsert', 'patchOrCreate').flatMap((call): Found[] => {
    const args = argumentsOf(call)
    const [data] = args
    const method = calledMethod(call) ?? ''
    const model = receiver(call)
    const like = likeModel(script, model)
    const list = data === undefined ? undefined : isList(script, data)
    if (data === undefined || model === undefined || like === undefined || list === undefined) return []
    const after = `Promise.all(${script.source(data)}.map(each => ${script.source(model)}.${method}(each)))`
    return [atNode(script, call, {
      what: `${method}() takes one object${list === 'list' ? '' : '; look yourself whether this is a list'}`,
      after,
      isWeak: list === 'perhaps' || like === 'perhaps',
      edits: data.type === 'ArrayExpression' && args.length === 1 ? [replace(script, call, after)] : undefined
    })]
  }))
}

const asked = new Set([
  'find', 'findOne', 'findById', 'findByIds', 'findOrCreate', 'create', 'count', 'exists', 'upsert', 'updateOrCreate', 'updateAll',
  'destroyAll', 'destroyById', 'deleteById', 'deleteAll', 'replaceById', 'replaceOrCreate', 'patchOrCreate', 'upsertWithWhere', 'login'
])
const more = new Set([
  'spread', 'tap', 'map', 'each', 'mapSeries', 'filter', 'reduce', 'nodeify', 'asCallback', 'delay', 'timeout', 'props', 'any', 'some', 'bind'
])
const links = new Set(['then', 'catch', 'finally', ...more])

/** Whether a chain of promises begins with a call of a model. */
function beginsWithModel (script: Script, node: SyntaxNode | undefined): boolean {
  let at = node
  while (at !== undefined && links.has(calledMethod(at) ?? '')) at = receiver(at)
  return at !== undefined && asked.has(calledMethod(at) ?? '') && likeModel(script, receiver(at)) !== undefined
}

export const promises: UpgradeRule = {
  rule: 'UP-17',
  severity: 'changes',
  what: 'promises are those of Node.js',
  find: ({ scripts }) => scripts.flatMap(script => [
    ...script.all('AssignmentExpression').filter(each => {
      const left = child(each, 'left')
      return memberName(left) === 'Promise' && nameOf(child(left, 'object')) === 'global'
    }).map(each => atNode(script, each, {
      what: 'the framework takes no other promise library', after: 'wrap results that need more: Bluebird.resolve(Model.find())'
    })),
    ...script.all('CallExpression')
      .filter(call => more.has(calledMethod(call) ?? '') && beginsWithModel(script, receiver(call)))
      .map(call => atNode(script, call, {
        what: `.${calledMethod(call) ?? ''}() is no method of the promises of Node.js`,
        after: 'await the promise, or wrap it: Bluebird.resolve(Model.find())'
      }))
  ])
}
