/** UP-02, UP-03: error handlers and middleware that the framework had as properties. */
import type { JsonFile } from '../json-file.js'
import {
  atKey, atNode, removeStatement, renameKey, replace, type Found, type TextEdit, type UpgradeEdit, type UpgradeRule
} from '../rule.js'
import type { Script } from '../script.js'
import type { Sources } from '../sources.js'
import { argumentsOf, calledMethod, child, memberName, receiver, within, type SyntaxNode } from '../syntax.js'

/** Entries of middleware.json, with the phase that they stand in. */
export const entries = (json: JsonFile): Array<{ phase: string, name: string }> =>
  json.keys().flatMap(phase => json.keys(phase).map(name => ({ phase, name })))

/** `app.use(…)` as a statement of its own around a call: it can be taken away whole. */
export function useStatement (script: Script, call: SyntaxNode): SyntaxNode | undefined {
  const use = script.parent(call)
  const statement = use === undefined ? undefined : script.parent(use)
  const isWhole = use !== undefined && /^(use|middleware|middlewareFromConfig)$/.test(calledMethod(use) ?? '') &&
    script.isApp(receiver(use)) && argumentsOf(use).at(-1) === call
  return isWhole && statement?.type === 'ExpressionStatement' ? statement : undefined
}

const handler = { params: { debug: false, log: true } }

/** The secure handler, unless the folder has it. */
const withHandler = ({ middleware, middlewares }: Sources): UpgradeEdit[] =>
  middlewares.some(json => entries(json).some(({ name }) => name === 'strong-error-handler' || name === 'fastback#errors'))
    ? []
    : [{ file: middleware.file, at: ['final:after', 'strong-error-handler'], value: handler }]

const oldHandlers = (sources: Sources): Found[] => sources.middlewares.flatMap(json => entries(json)
  .filter(({ name }) => /^(loopback#errorhandler|errorhandler)$/i.test(name))
  .map(({ phase, name }) => atKey(json, [phase, name], {
    what: `"${name}" is gone; clients read error.statusCode, where they read error.status`,
    after: `"final:after": { "strong-error-handler": ${JSON.stringify(handler)} }`,
    edits: [
      { file: json.file, at: [phase, name], value: undefined },
      ...(json.file === sources.middleware.file
        ? withHandler(sources)
        : [{
            file: json.file,
            at: ['final:after', 'strong-error-handler'],
            value: /develop/.test(json.file) ? { params: { debug: true, log: true } } : handler
          }])
    ]
  })))

const handlersInCode = (sources: Sources): Found[] => sources.scripts.flatMap(script => script.calls('errorHandler')
  .filter(call => script.isLoopback(receiver(call)))
  .map(call => {
    const statement = useStatement(script, call)
    return atNode(script, call, {
      what: 'loopback.errorHandler() is gone; clients read error.statusCode, where they read error.status',
      after: 'middleware.json: "final:after": { "strong-error-handler": … }',
      edits: statement === undefined ? undefined : [removeStatement(script, statement), ...withHandler(sources)]
    })
  }))

const settings = ({ config, configs }: Sources): Found[] => [
  ...configs.filter(json => json.has('remoting', 'errorHandler', 'disableStackTrace')).map(json =>
    atKey(json, ['remoting', 'errorHandler', 'disableStackTrace'], {
      what: '"disableStackTrace" is gone: "params.debug" of strong-error-handler says whether stacks are shown',
      after: '',
      edits: [{
        file: json.file,
        at: json.keys('remoting', 'errorHandler').length === 1 ? ['remoting', 'errorHandler'] : ['remoting', 'errorHandler', 'disableStackTrace'],
        value: undefined
      }]
    })),
  ...(!config.isThere || config.value('remoting', 'rest', 'handleErrors') === false
    ? []
    : [atKey(config, config.has('remoting') ? ['remoting'] : [], {
        what: 'errors are written by strong-error-handler, and not by the REST adapter',
        after: '"remoting": { "rest": { "handleErrors": false } }',
        severity: 'changes',
        edits: [{ file: config.file, at: ['remoting', 'rest', 'handleErrors'], value: false }]
      })])
]

const weakStatus = {
  what: 'a client that reads the status of an error reads error.statusCode now',
  after: 'error.statusCode',
  severity: 'changes',
  isWeak: true
} as const

const readsStatus = ({ clients, pages }: Sources): Found[] => [
  ...clients.flatMap(script => script.all('MemberExpression')
    .filter(node => memberName(node) === 'status' && memberName(child(node, 'object')) === 'error')
    .map(node => atNode(script, node, weakStatus))),
  ...pages.flatMap(({ file, text }) => [...text.matchAll(/\.error\.status\b/g)].map(({ index }) => ({ file, offset: index, ...weakStatus })))
]

export const errorHandler: UpgradeRule = {
  rule: 'UP-02',
  severity: 'breaks',
  what: 'put "strong-error-handler" into the phase "final:after" in place of the old error handler',
  find: sources => [...oldHandlers(sources), ...settings(sources), ...handlersInCode(sources), ...readsStatus(sources)]
}

/** By the lower-case names of the getters: the module, and what it is called in code. */
const modules = new Map([
  ['compress', 'compression'], ['cookieparser', 'cookie-parser'], ['cookiesession', 'cookie-session'], ['csrf', 'csurf'],
  ['directory', 'serve-index'], ['errorhandler', 'errorhandler'], ['favicon', 'serve-favicon'], ['logger', 'morgan'],
  ['methodoverride', 'method-override'], ['responsetime', 'response-time'], ['session', 'express-session'],
  ['timeout', 'connect-timeout'], ['vhost', 'vhost']
])

const install = (module: string): string => `install "${module}"${module === 'csurf' ? ' (nobody keeps it any more: look for another)' : ''}`

const gettersInJson = ({ middlewares }: Sources): Found[] =>
  middlewares.flatMap(json => entries(json).flatMap(entry => {
    const { phase, name } = entry
    const getter = /^loopback#(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
    const module = modules.get(getter)
    // The framework has middleware of its own by the name `favicon`; error handlers are UP-02.
    if (module === undefined || getter === 'favicon' || getter === 'errorhandler') return []
    return [atKey(json, [phase, name], {
      what: `"${name}" is gone; ${install(module)}`,
      after: `"${module}"`,
      edits: renameKey(json, [phase, name], module)
    })]
  }))

const gettersInCode = ({ scripts }: Sources): Found[] => scripts.flatMap(script => script.all('MemberExpression')
  .filter(node => script.isLoopback(child(node, 'object')))
  .flatMap((node): Found[] => {
    const name = memberName(node)
    if (name === undefined) {
      return [atNode(script, node, {
        what: 'a property of the framework whose name is only known when it runs: look yourself',
        after: '', severity: 'note', isWeak: true
      })]
    }
    const module = modules.get(name.toLowerCase())
    const isHandler = name === 'errorHandler' && script.parent(node)?.type === 'CallExpression'
    if (module === undefined || isHandler) return []
    const { local, edits } = required(script, module)
    return [atNode(script, node, {
      what: `loopback.${name} is gone; ${install(module)}`,
      after: local,
      edits: [replace(script, node, local), ...edits]
    })]
  }))

/** The name of a module in a script, and what has to be written for it. */
function required (script: Script, module: string): { local: string, edits: TextEdit[] } {
  const known = script.nameOfModule(module)
  if (known !== undefined) return { local: known, edits: [] }
  const plain = module.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const isTaken = script.all('Identifier').some(node => node.name === plain && child(script.parent(node), 'property') !== node)
  const local = isTaken ? `${plain}Middleware` : plain
  const statements = Array.isArray(script.program.body) ? script.program.body as SyntaxNode[] : []
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration')
  const beside = imports.at(-1) ?? statements.find(statement => statement.type === 'VariableDeclaration' &&
    [...within(statement)].some(node => script.moduleOf(node) === 'loopback')) ??
    statements.filter(({ directive }) => directive !== undefined).at(-1)
  const semicolon = beside === undefined || script.source(beside).endsWith(';') ? ';' : ''
  const kind = beside?.type === 'VariableDeclaration' ? String(beside.kind) : 'const'
  const line = imports.length > 0 ? `import ${local} from '${module}'${semicolon}` : `${kind} ${local} = require('${module}')${semicolon}`
  const content = beside === undefined ? `${line}\n` : `\n${line}`
  return { local, edits: [{ file: script.file, offset: beside?.end ?? 0, length: 0, content }] }
}

export const getters: UpgradeRule = {
  rule: 'UP-03',
  severity: 'breaks',
  what: 'use a middleware package of its own in place of each getter of the framework',
  find: sources => [...gettersInJson(sources), ...gettersInCode(sources)]
}
