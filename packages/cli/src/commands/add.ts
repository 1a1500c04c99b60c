/** `fastback add …`: the generators. Each is loaded when it is called for. */
import { defineCommand, type ArgsDef, type CommandDef } from 'citty'
import { commandOf, type Generator } from '../add/generator.js'

const generators: Readonly<Record<string, () => Promise<Generator>>> = {
  model: async () => (await import('../add/model.js')).modelGenerator,
  property: async () => (await import('../add/property.js')).propertyGenerator,
  relation: async () => (await import('../add/relation.js')).relationGenerator,
  acl: async () => (await import('../add/acl.js')).aclGenerator,
  datasource: async () => (await import('../add/datasource.js')).datasourceGenerator,
  middleware: async () => (await import('../add/middleware.js')).middlewareGenerator,
  'boot-script': async () => (await import('../add/boot-script.js')).bootScriptGenerator,
  mixin: async () => (await import('../add/mixin.js')).mixinGenerator,
  component: async () => (await import('../add/component.js')).componentGenerator,
  'remote-method': async () => (await import('../add/remote-method.js')).remoteMethodGenerator,
  method: async () => (await import('../add/remote-method.js')).remoteMethodGenerator,
  login: async () => (await import('../add/login.js')).loginGenerator,
  'user-model': async () => (await import('../add/user-model.js')).userModelGenerator
}

export const addCommand = defineCommand({
  meta: { name: 'add', description: 'Write a part of an application: a model, a property, a rule …' },
  subCommands: Object.fromEntries(Object.entries(generators).map(([name, load]) =>
    [name, async (): Promise<CommandDef<ArgsDef>> => commandOf(await load())]))
})
