/** An application folder within a larger Fastify application. */
import type { FastifyInstance } from 'fastify'
import { ApplicationHost } from './application-host.js'
import { readConfiguration, type ConfigurationOptions } from './configuration.js'
import type { BootExtension } from '@fastback/core'
import { InvalidConfigError } from './errors.js'
import { loadExtensions } from './extensions.js'
import { loadFolder } from './load-folder.js'
import { perform } from './steps.js'
import type { Application } from './app/application.js'

export interface BootOptions extends ConfigurationOptions {
  /** The application folder, or its folder `server`. */
  readonly dir: string
  /**
   * Whether the folder answers what no route of the whole server answers: its middleware after the routes, and Express
   * code on anything but literal paths, need that. There can be one such folder, and no other not-found handler.
   * Default: true.
   */
  readonly notFound?: boolean | undefined
  /** Packages that contribute built-in models, connectors, access control. Default: those installed with boot. */
  readonly extensions?: readonly BootExtension[] | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The application of the folder that this context runs, as its boot scripts have it. */
    application: Application
  }
}

/**
 * Runs an application folder in a context of its own. Its paths are those of its configuration (`restApiRoot`), so it
 * takes no `prefix`. Several folders, each in a context of its own, share nothing.
 *
 * ```js
 * const app = Fastify()
 * await app.register(boot, { dir: 'shop' })
 * await app.listen({ port: 3000 })
 * ```
 * @param options `dir`: the application folder, or its folder `server`; `extensions`: further packages that contribute
 * @throws FBK_BOOT_INVALID_CONFIG for a prefix; the coded errors of `createServer`
 */
export async function boot (fastify: FastifyInstance, options: BootOptions): Promise<void> {
  if (fastify.prefix !== '') {
    throw new InvalidConfigError('@fastback/boot', 'a folder takes no prefix; set "restApiRoot" in its config.json')
  }
  const configuration = await readConfiguration(options.dir, options)
  if (configuration.settings['trust proxy'] !== undefined) {
    fastify.log.warn(
      '"trust proxy" of the folder has no effect within a larger server: its own option "trustProxy" counts'
    )
  }
  const host = new ApplicationHost({
    extensions: [...(await perform(loadExtensions())), ...(options.extensions ?? [])],
    fastify,
    handle: (req, res) => { fastify.routing(req, res) },
    start: async () => await fastify.listen({ port: Number(configuration.settings.port) }),
    listen: () => {
      fastify.listen({ port: Number(configuration.settings.port) }).catch((error: unknown) => {
        host.app.emit('error', error)
      })
      return fastify.server
    },
    notFound: options.notFound !== false
  })
  host.configure(configuration)
  await perform(loadFolder(host, configuration))
  await host.booted()
  await host.open()
  fastify.decorate('application', host.app)
}
