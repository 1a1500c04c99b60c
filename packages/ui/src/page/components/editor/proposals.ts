/** What may stand at a position of a JSON text, by its schema: names of members, and values of few choices. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { SyntaxNode } from '@lezer/common'
import type { ApiDescription } from '../../api/description.js'
import type { Schema } from '../../../contracts/openapi.js'
import type { EditorProps } from './editor.js'

/** Proposals of an editor. */
export const proposals = (propsOf: () => EditorProps) =>
  (context: CompletionContext): CompletionResult | null => {
    const { schema, description } = propsOf()
    if (schema === undefined || description === undefined) return null
    const node = syntaxTree(context.state).resolveInner(context.pos, -1)
    const quoted = node.name === 'PropertyName' || node.name === 'String'
    const word = context.matchBefore(/[\w$-]*/)
    if (!quoted && word?.from === word?.to && !context.explicit) return null
    const textOf = (from: SyntaxNode): string => context.state.sliceDoc(from.from, from.to)
    const isName = node.name === 'PropertyName' || node.name === 'Object' || node.name === '{' ||
      (node.name === '⚠' && node.parent?.name === 'Object')
    const from = quoted ? node.from : word?.from ?? context.pos
    const to = quoted ? node.to : context.pos
    const at = schemaAt(isName ? objectAround(node) : node, schema, description, textOf)
    const options = isName ? names(at, description) : values(at, description)
    return options.length === 0 ? null : { from, to, options, validFor: /^"?[\w$-]*"?$/ }
  }

function objectAround (node: SyntaxNode): SyntaxNode {
  let found = node
  while (found.name !== 'Object' && found.parent !== null) found = found.parent
  return found
}

/** The schemas that the value of a node may have: down from the text's own, by the names and lists around the node. */
function schemaAt (
  node: SyntaxNode, schema: Schema, description: ApiDescription, textOf: (node: SyntaxNode) => string
): Schema[] {
  const path: Array<string | undefined> = []
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === 'Property') path.unshift(nameOf(at, textOf))
    else if (at.name === 'Array' && at !== node) path.unshift(undefined)
  }
  return path.reduce<Schema[]>((schemas, step) => schemas.flatMap(each => branches(each, description)).flatMap(each =>
    step === undefined ? [each.items as Schema | undefined ?? []].flat() : memberOf(each, step)),
  [schema]).flatMap(each => branches(each, description))
}

function nameOf (property: SyntaxNode, textOf: (node: SyntaxNode) => string): string {
  const name = property.getChild('PropertyName')
  if (name === null) return ''
  try {
    return JSON.parse(textOf(name)) as string
  } catch {
    return ''
  }
}

const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema.properties ?? {}) as Readonly<Record<string, Schema>>

function memberOf (schema: Schema, name: string): Schema[] {
  const properties = propertiesOf(schema)
  return Object.hasOwn(properties, name) ? [properties[name] as Schema] : []
}

/** A schema without references, as each of the schemas that it may be. */
function branches (schema: Schema, description: ApiDescription, depth = 0): Schema[] {
  const found = description.schema(schema)
  const others = [found.anyOf, found.oneOf, found.allOf].flatMap(each => (each ?? []) as Schema[])
  return depth > 4 ? [found] : [found, ...others.flatMap(each => branches(each, description, depth + 1))]
}

function names (schemas: readonly Schema[], description: ApiDescription): Completion[] {
  const found = new Map<string, Completion>()
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      found.set(name, {
        label: JSON.stringify(name), apply: `${JSON.stringify(name)}: `, type: 'property',
        detail: description.typeName(property)
      })
    }
  }
  return [...found.values()]
}

function values (schemas: readonly Schema[], description: ApiDescription): Completion[] {
  const choices = schemas.flatMap(schema => {
    const { type, enum: listed } = description.schema(schema) as {
      readonly type?: unknown
      readonly enum?: readonly unknown[]
    }
    return listed ?? ([type].flat().includes('boolean') ? [true, false] : [])
  })
  return [...new Set(choices)].map(value => ({ label: JSON.stringify(value), type: 'enum' }))
}
