/**
 * How `app.register(core, { definitions: [{ … }] })` looks at definitions that are written there: as `defineModel`
 * does. Fastify's `register` infers the options of a plugin from the plugin alone; this is one more form of it, for
 * this one.
 */
import type { FastifyPluginAsync, FastifyRegisterOptions } from 'fastify'
import type { ModelDefinitionInput } from '../definition/definition.js'
import type { CoreOptions } from '../options.js'
import type { CheckedDefinition } from './checked-definition.js'
import type { Wrong } from './names.js'

declare const CORE: unique symbol

/** What Fastify's own forms of `register` take, which come after this one: no definitions, so that none goes unseen. */
interface OtherOptions extends Omit<CoreOptions, 'definitions'> {
  definitions?: Wrong<'a definition says what cannot be meant; written in defineModel(…), it shows where'>
}

/**
 * The plugin, for the compiler alone. The key is needed: a function that takes its parameters' types from where it
 * stands must not look like this plugin.
 */
export interface CorePlugin extends FastifyPluginAsync<OtherOptions> { readonly [CORE]: true }

type Each<Definitions extends readonly unknown[]> = {
  readonly [I in keyof Definitions]: Definitions[I] & NoInfer<CheckedDefinition<Definitions[I]>>
}
interface WrittenOptions<Definitions extends readonly unknown[]> extends Omit<CoreOptions, 'definitions'> {
  definitions?: Each<Definitions>
}

declare module 'fastify' {
  interface FastifyRegister<T> {
    <const Definitions extends readonly ModelDefinitionInput[]>(
      plugin: CorePlugin | Promise<{ default: CorePlugin }>,
      opts: FastifyRegisterOptions<WrittenOptions<Definitions>>
    ): T
  }
}
