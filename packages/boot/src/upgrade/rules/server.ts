/** UP-16, UP-18, UP-19, UP-20: what the server has of itself. */
import { atKey, atNode, removeStatement, type Found, type UpgradeRule } from '../rule.js'
import { argumentsOf, calledMethod, child, memberName, receiver, stringOf } from '../syntax.js'
import { entries, useStatement } from './middleware.js'

const contextual = new Set(['getCurrentContext', 'context', 'createContext', 'runInContext'])

export const currentContext: UpgradeRule = {
  rule: 'UP-16',
  severity: 'breaks',
  what: 'there is no current context: hand it on by the options of methods',
  find: ({ configs, middlewares, scripts }) => [
    ...configs.filter(json => json.has('remoting', 'context') && json.value('remoting', 'context') !== false)
      .map(json => atKey(json, ['remoting', 'context'], {
        what: 'there is no current context',
        after: '"context": false',
        // Off by another name: it changes nothing.
        severity: json.value('remoting', 'context', 'enableHttpContext') === true ? 'breaks' : 'note',
        edits: [{ file: json.file, at: ['remoting', 'context'], value: false }]
      })),
    ...middlewares.flatMap(json => entries(json).filter(({ name }) => /^loopback#(per-request-)?context$/i.test(name))
      .map(({ phase, name }) => atKey(json, [phase, name], {
        what: `"${name}" is gone`, after: '', edits: [{ file: json.file, at: [phase, name], value: undefined }]
      }))),
    ...scripts.flatMap(script => script.all('MemberExpression')
      .filter(node => contextual.has(memberName(node) ?? '') && script.isLoopback(child(node, 'object')))
      .map(node => {
        const call = script.parent(node)
        const statement = memberName(node) === 'context' && call !== undefined ? useStatement(script, call) : undefined
        return atNode(script, node, {
          what: `loopback.${memberName(node) ?? ''}() is gone: methods with an argument { arg: 'options', type: 'object', http: 'optionsFromRequest' } ` +
            'have options.accessToken',
          after: statement === undefined ? 'options.accessToken, or an AsyncLocalStorage of your own' : '',
          edits: statement === undefined ? undefined : [removeStatement(script, statement)]
        })
      }))
  ]
}

const origins = { origin: true, credentials: true, maxAge: 86400 }

export const crossOrigin: UpgradeRule = {
  rule: 'UP-18',
  severity: 'changes',
  what: 'other origins are allowed by "cors" in middleware.json, phase "initial", and "remoting.cors" is false',
  find: ({ config, middleware }) => {
    if (!config.isThere) return []
    const given = config.value('remoting', 'cors')
    const isHandled = entries(middleware).some(({ name }) => name === 'cors')
    if (given === false || (given === undefined && isHandled)) return []
    const own = typeof given === 'object' && given !== null ? given : {}
    return [atKey(config, given === undefined ? config.has('remoting') ? ['remoting'] : [] : ['remoting', 'cors'], {
      what: 'other origins are not let in by themselves; "origin": true together with credentials lets every site call in the ' +
        'name of who is signed in: name the origins',
      after: `middleware.json: "initial": { "cors": { "params": ${JSON.stringify({ ...origins, ...own })} } }; config.json: "cors": false`,
      edits: [
        { file: config.file, at: ['remoting', 'cors'], value: false },
        ...(isHandled ? [] : [{ file: middleware.file, at: ['initial', 'cors'], value: { params: { ...origins, ...own } } }])
      ]
    })]
  }
}

export const versions: UpgradeRule = {
  rule: 'UP-19',
  severity: 'note',
  what: 'a version in paths stays as it is: the framework has no scheme for it',
  find: ({ configs, scripts }) => [
    ...configs.filter(json => /\/v\d/.test(String(json.value('restApiRoot') ?? ''))).map(json =>
      atKey(json, ['restApiRoot'], { what: 'a version in the path stays as it is', after: '' })),
    ...scripts.flatMap(script => script.all('Literal').filter(node => /^(accept|api)-version$/i.test(stringOf(node) ?? ''))
      .map(node => atNode(script, node, { what: 'a version in a header stays as it is', after: '', isWeak: true })))
  ]
}

export const namedModels: UpgradeRule = {
  rule: 'UP-20',
  severity: 'breaks',
  what: 'app.model() takes a model, and makes none of a name',
  find: ({ scripts }) => scripts.flatMap(script => script.calls('model').flatMap((call): Found[] => {
    const [name, config] = argumentsOf(call)
    const text = stringOf(name)
    const isMade = text !== undefined && config?.type === 'ObjectExpression' && script.isApp(receiver(call))
    return calledMethod(call) === 'model' && isMade
      ? [atNode(script, call, {
          what: `app.model('${text}', {…}) makes no model of a name`,
          after: `app.model(loopback.createModel({ name: '${text}', … }), { dataSource: … })`
        })]
      : []
  }))
}
