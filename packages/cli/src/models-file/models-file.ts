/** The text of a `models.d.ts`. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { isPublic, sharedMethodsOf } from '@fastback/core/remote'
import { builtinBase } from './builtin-base.js'
import { definitionText } from './definition-text.js'
import { callText, methodText } from './method-text.js'
import { block, comment, identifier, key, rowName } from '../source-text.js'

const head = `// Written by "fastback types" from the model definitions: a change here is lost. Run it again after a change of the models.
import type * as fastback from '@fastback/cli'`

/**
 * The models that a folder defines, and built-in ones that it attaches or publishes; by name, so that a change of one
 * changes little of the file.
 */
export function describedModels (registry: ModelRegistry): ModelClass[] {
  return Object.values(registry.models)
    .filter(
      Model => Model.definition.source !== undefined || Model.dataSource !== null || isPublic(Model) === true
    )
    .sort((a, b) => (a.modelName < b.modelName ? -1 : 1))
}

export function modelsFile (models: readonly ModelClass[]): string {
  const names = new Set(models.map(({ modelName }) => modelName))
  const table = (suffix: string, indent: string): string =>
    block(
      models.map(({ modelName }) => `${key(modelName)}: ${identifier(modelName)}${suffix}`),
      indent
    )
  return (
    [
      head,
      ...models.map(Model => modelText(Model, names)),
      `/** The model classes by name, as in \`app.models\`. */\nexport interface Models ${table('Model', '')}`,
      '/** What boot scripts are called with. */\nexport type Application = fastback.Application<Models>',
      `declare module '@fastback/cli' {\n  /** Where relations find the definitions of other models. */\n  interface ModelTypes ${table('Definition', '  ')}\n}`
    ].join('\n\n') + '\n'
  )
}

function modelText (Model: ModelClass, names: ReadonlySet<string>): string {
  const name = identifier(Model.modelName)
  const { source } = Model.definition
  // Built-in methods and those of relations and scopes have types already, and so have those of built-in models.
  const builtin = builtinBase(Model)
  const known = new Set(builtin === undefined ? [] : sharedMethodsOf(builtin).map(({ options }) => options))
  const methods = sharedMethodsOf(Model)
    .filter(({ name, options }) => !('builtin' in options) && !name.startsWith('__') && !known.has(options))
  const own = (isStatic: boolean): string[] =>
    methods.filter(method => method.isStatic === isStatic).map(method => methodText(method, names, '    '))
  const texts = {
    statics: own(true),
    instanceMethods: own(false),
    calls: methods.map(method => callText(method, names, '    '))
  }
  return [
    `${comment(source, '')}export type ${name}Definition = ${definitionText(Model, texts)}`,
    `export type ${rowName(Model.modelName)} = fastback.RowType<${name}Definition>`,
    `export type ${name}Instance = fastback.Instance<${name}Definition>`,
    `export type ${name}Model = fastback.FolderModel<${name}Definition>`
  ].join('\n')
}
