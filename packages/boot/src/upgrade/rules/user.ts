/** UP-14: properties that User had. */
import { atKey, type Found, type UpgradeRule } from '../rule.js'
import type { Script } from '../script.js'
import type { Sources } from '../sources.js'
import { argumentsOf, calledMethod, child, keyOf, memberName, nameOf, receiver, within, type SyntaxNode } from '../syntax.js'

const types = new Map([
  ['credentials', 'object'], ['challenges', 'object'], ['status', 'string'], ['created', 'date'], ['lastUpdated', 'date']
])

interface Use { readonly field: string, readonly found: Pick<Found, 'file' | 'offset'> }

const place = (script: Script, node: SyntaxNode): Use['found'] => ({ file: script.file, offset: node.start })

const isInclude = (node: SyntaxNode): boolean => node.type === 'Property' && keyOf(node) === 'include'

/** Keys of what is handed to methods of the model: conditions, data, fields; included rows are of other models. */
const inCalls = (script: Script, model: string): Use[] => script.all('CallExpression')
  .filter(call => calledMethod(call) !== 'remoteMethod' && script.modelOf(receiver(call)) === model)
  .flatMap(call => argumentsOf(call).filter(({ type }) => type === 'ObjectExpression'))
  .flatMap(object => [...within(object, isInclude)])
  .filter(node => node.type === 'Property' && types.has(keyOf(node) ?? ''))
  .map(node => ({ field: keyOf(node) as string, found: place(script, node) }))

/** `ctx.instance.status`, `user.created` in the model's own script. */
const inOwnScript = (script: Script, model: string): Use[] => script.all('MemberExpression')
  .filter(node => types.has(memberName(node) ?? '') && isInstance(script, child(node, 'object'), model))
  .map(node => ({ field: memberName(node) as string, found: place(script, node) }))

const isInstance = (
  script: Script, node: SyntaxNode | undefined, model: string
): boolean => script.modelOf(node) === undefined && (
  /^(instance|data|currentInstance)$/.test(memberName(node) ?? '') ||
  ['user', 'userInstance', 'modelInstance', model.toLowerCase()].includes((nameOf(node) ?? '').toLowerCase()))

/** In scopes and lists of hidden properties of the definition. */
function inDefinition ({ definitions }: Sources, model: string): Use[] {
  const json = definitions.named(model)?.json
  if (json === undefined) return []
  return ['scope', 'scopes', 'indexes'].flatMap(group => [...types.keys()]
    .filter(field => new RegExp(`"${field}(\\s|")`).test(JSON.stringify(json.value(group) ?? {})))
    .map(field => ({ field, found: { file: json.file, offset: json.offset(group) } })))
}

export const userProperties: UpgradeRule = {
  rule: 'UP-14',
  severity: 'changes',
  what: 'a user model declares credentials, challenges, status, created and lastUpdated itself, where it uses them',
  find: (sources, { all = false }) => {
    const { definitions, scripts } = sources
    const own = definitions.all.filter(({ name }) => name !== 'User' && definitions.isBasedOn(name, 'User'))
    const uses = (model: string): Use[] => [
      ...inDefinition(sources, model),
      ...scripts.flatMap(script => inCalls(script, model)),
      ...scripts.filter(({ role }) => role.model === model).flatMap(script => inOwnScript(script, model))
    ].filter(({ field }) => !definitions.hasProperty(model, field))
    return [
      ...own.flatMap(({ name, json }) => {
        const used = uses(name)
        const fields = [...types.keys()].filter(field =>
          !definitions.hasProperty(name, field) && (all || used.some(each => each.field === field)))
        return fields.map(field => {
          const edits = [{ file: json.file, at: ['properties', field], value: types.get(field) }]
          const told = { what: `User has no property "${field}" of its own`, after: `"${field}": "${types.get(field) ?? ''}"`, edits }
          const first = used.find(each => each.field === field)
          return first === undefined ? atKey(json, ['name'], told) : { ...first.found, ...told }
        })
      }),
      ...scripts.flatMap(script => inCalls(script, 'User').map(({ field, found }): Found => ({
        ...found,
        what: `User has no property "${field}"`,
        after: 'a model based on User that declares it'
      })))
    ]
  }
}
