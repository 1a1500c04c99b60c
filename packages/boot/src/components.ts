/** Components of component-config.json. */
import type { Application } from './app/application.js'
import { ComponentError, named } from './errors.js'
import type { ComponentConfigs } from './load/component-config.js'
import type { Folder } from './load/folder.js'
import type { BootExtension } from '@fastback/core'
import { loadModule, scriptError } from './load/module.js'
import { settled, type Steps } from './steps.js'

/** Names of the API explorer. */
const explorerNames = new Set(['loopback-component-explorer', '@fastback/explorer', 'fastback-explorer'])

/** Packages of LoopBack that are called components, and are used by data sources. */
const connectorNames = new Set(['loopback-component-storage', 'loopback-component-push'])

export interface ExplorerOptions {
  readonly mountPath: string
  readonly [key: string]: unknown
}

/**
 * What the folder says of the explorer: its options; true when it says nothing; false when it is switched off.
 */
export function explorerOf ({ components, off, file }: ComponentConfigs): ExplorerOptions | boolean {
  const configured = components.find(({ name }) => explorerNames.has(name))
  if (configured === undefined) return !off.some(name => explorerNames.has(name))
  const options = typeof configured.options === 'object' ? configured.options as Record<string, unknown> : {}
  const { mountPath } = options
  if (mountPath === undefined || mountPath === null) return { ...options, mountPath: '/explorer' }
  // Express mounts at the root what is given an empty path.
  if (mountPath === '') return { ...options, mountPath: '/' }
  if (typeof mountPath === 'string' && mountPath.startsWith('/')) {
    return { ...options, mountPath: mountPath.replace(/(?<=[^/])\/+$/, '') }
  }
  throw new ComponentError(file, configured.name, 'needs a "mountPath" that starts with "/".')
}

/**
 * Runs every component but the explorer: `function (app, options)`, in the order of the file.
 * @throws FBK_BOOT_COMPONENT, FBK_BOOT_MODULE_NOT_FOUND, FBK_BOOT_SCRIPT
 */
export function * runComponents (
  folder: Folder,
  { components, file }: ComponentConfigs,
  app: Application,
  extensions: readonly BootExtension[]
): Steps<void> {
  for (const { name, options } of components) {
    if (explorerNames.has(name)) continue
    const own = extensions.find(
      extension => extension.components !== undefined && Object.hasOwn(extension.components, name)
    )?.components?.[name]
    if (own !== undefined) {
      try {
        yield * settled(own(app, options === true ? {} : options))
      } catch (error) {
        throw named(file, error)
      }
      continue
    }
    if (connectorNames.has(name)) {
      throw new ComponentError(
        file, name, `is no component but a connector: give a data source "connector": "${name}".`
      )
    }
    const { file: script, exports } = yield * loadModule(folder, name, `${file}, component "${name}"`)
    if (typeof exports !== 'function') throw new ComponentError(file, name, 'exports no function (app, options).')
    try {
      yield * settled(exports(app, options))
    } catch (error) {
      throw scriptError(folder, script, error)
    }
  }
}
